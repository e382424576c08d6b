import { resource } from '../engine/records/define.ts'
import type { Kind, Resource } from '../engine/records/definition/resource.ts'
import { moment, shownAs } from '../engine/records/kinds/fields.ts'
import { momentFilter, valueFilter } from '../engine/records/kinds/filters.ts'
import { actorTypes } from '../store/change-log.ts'

/** Deleted records, as a list shows them (decision G11). `types` are the names of resources whose records can be restored. */
export function trashOf(types: readonly string[]): Resource {
  return resource('trash', {
    label: 'Deleted record',
    path: 'api-v1-trash',
    scope: { read: 'read:any', write: 'admin:all' },
    stamped: false,
    counted: false,
    operations: ['list', 'delete'],
    fields: {
      type: typeName(types),
      title: shownAs('text', { type: 'string' }),
      deleted_at: deletionTime(),
      deleted_by: author(),
    },
    filters: ['type', 'deleted_at'],
    sorts: ['deleted_at'],
    defaultSort: '-deleted_at',
    pageSize: { default: 50, max: 100 },
    about: {
      summary: 'Deleted records, which can be restored or erased permanently.',
      fields: {
        type: 'The resource of the record.',
        title: 'The name or title of the record.',
        deleted_by: 'Who deleted it.',
      },
      example: { type: 'organization', title: 'Müller Feinkost' },
    },
  })
}

function typeName(types: readonly string[]): Kind {
  const shape = { type: 'string', enum: types }
  const parse = (value: string) => (types.includes(value) ? value : undefined)
  return shownAs('type', shape, {
    filter: valueFilter(`one of: ${types.join(', ')}`, parse, 'type', shape, types.join('|'), 'INVALID_VALUE'),
  })
}

/** The column itself is always null: see schema.sql. */
function deletionTime(): Kind {
  const key = { sqlType: 'TEXT', of: (stored: string) => stored } as const
  return shownAs('moment', moment().shape, { filter: momentFilter, key })
}

function author(): Kind {
  const properties = {
    type: { type: 'string', enum: actorTypes },
    id: { type: ['string', 'null'], format: 'uuid' },
    name: { type: 'string' },
  }
  const shape = { type: 'object', properties, required: Object.keys(properties) }
  return shownAs('actor', shape, { json: (column) => `json(${column})` })
}
