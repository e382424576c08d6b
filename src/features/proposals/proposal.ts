import { resource } from '../../engine/records/define.ts'
import type { JsonSchema } from '../../engine/records/definition/about.ts'
import { byService, moment, shownAs } from '../../engine/records/kinds/fields.ts'
import { creationFilter, momentFilter, uuidFilter } from '../../engine/records/kinds/filters.ts'
import { choice, text } from '../../engine/records/kinds/text-kinds.ts'

const uuid = { type: 'string', format: 'uuid' }

const exampleChange = {
  changes: [
    {
      type: 'contact.updated',
      record_id: '019ecb27-2200-7000-8000-3f1b0c9d2a11',
      title: 'Ada Weber',
      fields: { job_title: { before: 'Head of purchasing', after: 'Managing director' } },
    },
  ],
  changes_total: 1,
}

export const proposalStatuses = ['open', 'applied', 'rejected'] as const

/** What an agent wants to change, and what became of it (decision L3). */
export const proposal = resource('proposal', {
  path: 'api-v1-proposals',
  scope: { read: 'read:all', write: 'write:all' },
  stamped: false,
  counted: false,
  operations: ['list', 'get'],
  fields: {
    key_id: shownAs('uuid', uuid, { filter: uuidFilter }),
    client: byService(text()),
    tool: shownAs('text', { type: 'string' }),
    changes: shownAs('changes', changesSchema(), { json: (column) => `json(${column})` }),
    changes_total: shownAs('integer', { type: 'integer', minimum: 0 }, { sqlType: 'INTEGER' }),
    status: byService({ ...choice(proposalStatuses), chosen: true }),
    decided_by: shownAs('uuid', { ...uuid, type: ['string', 'null'] }),
    decided_at: shownAs('moment', { type: ['string', 'null'], format: 'date-time' }, { filter: momentFilter }),
    request_id: byService(text()),
    created_at: { ...shownAs('moment', moment().shape), filter: creationFilter },
  },
  filters: ['status', 'key_id', 'created_at'],
  sorts: ['created_at'],
  defaultSort: '-created_at',
  pageSize: { default: 50, max: 100 },
  about: {
    summary: 'A change that an agent has proposed. A signed-in user applies or rejects it.',
    fields: {
      key_id: 'The API key of the agent.',
      client: 'The program that the agent runs in, as it calls itself.',
      tool: 'The tool that the agent has called.',
      changes: 'What would change, field by field: the first changes, at most 50. Empty once it is decided.',
      changes_total: 'How many changes there would be.',
      status: '`open` until a user has decided.',
      decided_by: 'The user who has applied or rejected it.',
      decided_at: 'The time of the decision.',
      request_id: 'The request that has applied it. `POST /api-v1-undo` takes it.',
    },
    example: { tool: 'save_record', client: 'claude-code 3.1.0', status: 'open' },
    shown: { ...exampleChange, key_id: '019ecb27-2200-7000-8000-465cfc3c6c74', created_at: '2026-11-23T09:45:00.000Z' },
  },
})

/** What a change does to each field. */
function changesSchema(): JsonSchema {
  const any = {}
  const change = { type: 'object', properties: { before: any, after: any }, required: ['before', 'after'] }
  const properties: Record<string, JsonSchema> = {
    type: { type: 'string', description: 'The type of the change: `contact.updated`.' },
    record_id: { ...uuid, description: 'Of a new record: a provisional id.' },
    title: { type: 'string', description: 'The name of the record.' },
    fields: { type: 'object', additionalProperties: change, description: 'The values before and after, by field.' },
  }
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } }
}
