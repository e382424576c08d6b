import type { Describer, Description } from '../../engine/records/describe.ts'
import { momentForm } from '../../lib/moment.ts'
import { changesTag } from '../describe.ts'
import type { Logged } from '../logged.ts'
import { requestIdMax } from './request.ts'

export function describeUndo(doc: Describer, { resources, receiptSchema }: Logged): Description {
  const scopes = [...new Set(resources.map(({ scopes }) => scopes.write))].filter((scope) => scope !== 'any')
  const names = { type: 'array', items: { type: 'string' } }
  const list = {
    type: 'array',
    items: doc.schema('UndoneRecord', () =>
      doc.object({
        resource: { type: 'string' },
        record_id: uuid,
        seq: {
          type: 'array',
          items: { type: 'integer' },
          description:
            'The changes of the record that were selected. Empty: it has lost a flag to another record, such as that of the primary contact.',
        },
        fields: { ...names, description: 'The fields that have their former value again.' },
        kept_fields: {
          ...names,
          description: 'The fields that were changed again since, or that follow from other records.',
        },
        code: { type: ['string', 'null'] },
        message: { type: ['string', 'null'], description: 'Why it was kept, or what is in the way.' },
      }),
    ),
  }
  const reversed = {
    ...{ resource: 'organization', record_id: doc.exampleId('organization'), seq: [8] },
    ...{ fields: [], kept_fields: [], code: null, message: null },
  }
  return {
    id: 'undoChanges',
    tag: changesTag(doc),
    summary: 'Undo changes',
    details:
      'A create becomes a delete, a delete a restore, an update gets its former values back, field by field. What was changed again since is kept, unless `force`. The undo is itself logged and can be undone. Changes of mail addresses and mailboxes of users are undone by them and by admins.',
    body: doc.schema('Undo', () => ({
      type: 'object',
      properties,
      additionalProperties: false,
      oneOf: selectors,
      dependentRequired,
    })),
    scopes,
    response: {
      about: 'Each record in one of three lists.',
      schema: doc.envelope(
        'UndoReport',
        doc.schema('UndoReport', () => doc.object({ reversed: list, kept: list, errored: list })),
      ),
    },
    queued: {
      about: 'More than 10,000 changes are selected: a job undoes them. Request the job for its progress.',
      schema: receiptSchema(doc),
    },
    errors: {
      NOT_FOUND: 'No change is selected.',
      CONFLICT: 'Too many changes are selected, or an import among them still runs.',
    },
    example: {
      body: { request_id: doc.exampleId('request'), dry_run: true },
      response: { data: { reversed: [reversed], kept: [], errored: [] } },
    },
  }
}

const uuid = { type: 'string', format: 'uuid' }

/** Exactly one of these. */
const selectors = ['seq', 'request_id', 'bulk_job_id', 'key_id'].map((name) => ({ required: [name] }))
const dependentRequired = { key_id: ['since'], since: ['key_id'] }

const properties = {
  seq: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The number of a change.' },
  request_id: {
    type: 'string',
    pattern: '\\S',
    maxLength: requestIdMax,
    description: 'All changes of a request, and of an import that it started.',
  },
  bulk_job_id: { ...uuid, description: 'All changes of an import.' },
  key_id: { ...uuid, description: 'All changes of an API key from `since` on. Requires `admin:all`.' },
  since: { type: 'string', pattern: momentForm, description: 'A timestamp.' },
  dry_run: { type: 'boolean', description: 'Only report what would happen. Default: false.' },
  force: { type: 'boolean', description: 'Undo also what was changed again since. Default: false.' },
}
