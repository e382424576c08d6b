import type { JsonSchema } from '../engine/definition/about.ts'
import type { Describer, Description } from '../engine/definition/describe.ts'
import { bulkJob, imported, recordsMax } from './bulk-job.ts'

/** decision A6 */
const scopes = Object.values(imported).flatMap((resource) => [resource.scopes.read, resource.scopes.write])

export function describeSubmit(doc: Describer, type: string): Description {
  const resource = imported[type]!
  const jobId = doc.exampleId(type === 'import_contacts' ? 'bulk_job' : `bulk_job ${type}`)
  const counts = { total_records: 1, successful_records: 0, failed_records: 0, errors: [] }
  const records = { type: 'array', items: doc.body(resource), minItems: 1, maxItems: recordsMax }
  const [, what = ''] = type.split('_')
  return {
    id: `import${what[0]!.toUpperCase()}${what.slice(1)}`,
    tag: doc.tag(bulkJob),
    summary: `Import up to ${recordsMax} ${what}`,
    details:
      'Answers at once; the records are judged one by one as if they were created singly. Ask for the job to see how far it is.',
    body: doc.schema(`${what[0]!.toUpperCase()}${what.slice(1)}Import`, () => doc.object({ records })),
    response: { status: 202, about: 'The job is queued.', schema: doc.envelope('BulkReceipt', receiptSchema(doc)) },
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
    details: 'Those whose kind of records the key may read or write.',
  }
}

export function describeJob(doc: Describer): Description {
  const details = 'With the read or the write scope of what it imports. Jobs are kept for 30 days after their end.'
  return { ...doc.operation(bulkJob, 'get'), scopes, details }
}

export function describeCancel(doc: Describer): Description {
  return {
    ...doc.operation(bulkJob, 'delete'),
    id: 'cancelBulkJob',
    summary: 'Cancel a job',
    details: 'With the write scope of what it imports. What was imported stays; the job is `failed`.',
    scopes: Object.values(imported).map((resource) => resource.scopes.write),
    errors: { CONFLICT: 'The job has ended already.' },
  }
}

function receiptSchema(doc: Describer): JsonSchema {
  const counts = ['status', 'total_records', 'successful_records', 'failed_records', 'errors'] as const
  const fields = Object.fromEntries(counts.map((name) => [name, doc.field(bulkJob, name)]))
  return doc.schema('BulkReceipt', () => doc.object({ job_id: { type: 'string', format: 'uuid' }, ...fields }))
}
