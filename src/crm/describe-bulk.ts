import type { JsonSchema } from '../engine/definition/about.ts'
import { pluralOf } from '../engine/definition/define.ts'
import type { Describer, Description } from '../engine/definition/describe.ts'
import { pascal } from '../engine/openapi/names.ts'
import { bulkJob, imported, recordsMax } from './bulk-job.ts'

/** The scopes of all importable resources. A job requires those of its type (decision A6). */
const scopes = Object.values(imported).flatMap((resource) => [resource.scopes.read, resource.scopes.write])

export function describeSubmit(doc: Describer, type: string): Description {
  const resource = imported[type]!
  const jobId = doc.exampleId(type === 'import_contacts' ? 'bulk_job' : `bulk_job ${type}`)
  const counts = { total_records: 1, successful_records: 0, failed_records: 0, errors: [] }
  const records = { type: 'array', items: doc.body(resource), minItems: 1, maxItems: recordsMax }
  const what = pluralOf(resource)
  return {
    id: `import${pascal(what)}`,
    tag: doc.tag(bulkJob),
    summary: `Import up to ${recordsMax} ${what}`,
    details:
      'Returns immediately. Each record is validated like a single create and processed in the background. Request the job for its progress.',
    body: doc.schema(`${pascal(what)}Import`, () => doc.object({ records })),
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
