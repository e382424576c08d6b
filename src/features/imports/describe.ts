import { linesType } from '../../engine/api/call/http-response.ts'
import { pascal } from '../../engine/api/openapi/names.ts'
import { isMatchable, matchText } from '../../engine/api/upsert/matching.ts'
import { modes, modeText } from '../../engine/api/upsert/upsert.ts'
import type { JsonSchema } from '../../engine/records/definition/about.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'
import { nounsOf, pluralOf } from '../../lib/plural.ts'
import { imported } from './imported.ts'
import { bulkJob } from './job.ts'
import { recordsMax } from './records.ts'
import { outcomes } from './results.ts'

/** The scopes of all importable resources. A job requires those of its type (decision A6). */
const scopes = Object.values(imported).flatMap((resource) => [resource.scopes.read, resource.scopes.write])

export function describeSubmit(doc: Describer, type: string): Description {
  const resource = imported[type]!
  const jobId = doc.exampleId(type === 'import_contacts' ? 'bulk_job' : `bulk_job ${type}`)
  const counts = { total_records: 1, successful_records: 0, failed_records: 0, errors: [] }
  const what = pluralOf(resource)
  return {
    id: `import${pascal(what)}`,
    tag: doc.tag(bulkJob),
    summary: `Import up to ${recordsMax} ${nounsOf(resource)}`,
    details:
      'Returns immediately. Each record is validated like a single create and processed in the background, with the rights that its author has by then. Request the job for its progress, and its results for the outcome of each record.',
    body: bodySchema(doc, resource),
    response: {
      status: 202,
      about: 'The job has been queued.',
      schema: receiptSchema(doc),
    },
    example: {
      body: { records: [doc.exampleBody(resource)] },
      response: { data: { job_id: jobId, status: 'queued', ...counts } },
    },
  }
}

/** The records, and what is said about them. */
function bodySchema(doc: Describer, resource: Resource): JsonSchema {
  const records = { type: 'array', items: doc.importBody(resource), minItems: 1, maxItems: recordsMax }
  const matching = isMatchable(resource) && {
    match_on: {
      type: ['string', 'null'],
      description: `Records that match are updated, others are created: ${matchText(resource)}.`,
    },
    mode: {
      anyOf: [{ type: 'string', enum: modes, default: 'merge' }, { type: 'null' }],
      description: `Only with \`match_on\`. ${modeText}`,
    },
  }
  const dry_run = {
    type: ['boolean', 'null'],
    description: 'Whether nothing is written. The job still counts what would happen, and has results.',
  }
  return doc.schema(`${pascal(pluralOf(resource))}Import`, () => ({
    type: 'object',
    properties: { records, ...matching, dry_run },
    required: ['records'],
  }))
}

export function describeJobs(doc: Describer): Description {
  return {
    ...doc.operation(bulkJob, 'list'),
    scopes,
    details: 'Lists the jobs for records that the key may read or write.',
  }
}

export function describeJob(doc: Describer): Description {
  const details = 'Requires the read or write scope of the imported records. Jobs are deleted 30 days after their end.'
  return { ...doc.operation(bulkJob, 'get'), scopes, details }
}

export function describeResults(doc: Describer): Description {
  const line = { row: 1, outcome: 'created', id: doc.exampleId('contact imported'), errors: [] }
  return {
    id: 'getBulkResults',
    tag: doc.tag(bulkJob),
    summary: 'Get the result of each record',
    details: `Lines of JSON \`{row, outcome, id, errors}\` in the order of the records, as many as \`processed_records\`. \`row\` counts from 1. \`outcome\`: ${outcomes.map((each) => `\`${each}\``).join(', ')}; of a dry run, what it would be. \`id\` is null for a record that failed, that a dry run would create, or that the key may not read. \`errors\`: at most 100 of \`{field, error, code}\`, with the ids of the records that they are about if the key may read these. A line of an undo also says what the report of an undo says of a record: \`resource\`, \`record_id\`, \`seq\`, \`fields\`, \`kept_fields\`, \`code\`, \`message\`. Requires the read or write scope of the records. Deleted with the job.`,
    scopes,
    response: {
      about: 'The results, one per line.',
      schema: { type: 'string' },
      mediaType: linesType,
    },
    errors: { NOT_FOUND: 'The job does not exist, or ran before Kontor stored results.' },
    example: {
      params: { id: doc.exampleId('bulk_job') },
      response: `${JSON.stringify(line)}\n`,
    },
  }
}

export function describeCancel(doc: Describer): Description {
  return {
    ...doc.operation(bulkJob, 'delete'),
    id: 'cancelBulkJob',
    summary: 'Cancel a job',
    details:
      'Requires the write scope of the imported records. Records that have been imported stay. The job becomes `failed`.',
    scopes: Object.values(imported).map((resource) => resource.scopes.write),
    errors: { CONFLICT: 'The job has already ended.' },
  }
}

/** The response to a request that is processed in the background. */
export function receiptSchema(doc: Describer): JsonSchema {
  const counts = ['status', 'total_records', 'successful_records', 'failed_records', 'errors'] as const
  const fields = Object.fromEntries(counts.map((name) => [name, doc.field(bulkJob, name)]))
  const receipt = () => doc.object({ job_id: { type: 'string', format: 'uuid' }, ...fields })
  return doc.envelope('BulkReceipt', doc.schema('BulkReceipt', receipt))
}
