import { pascal, withArticle } from '../engine/api/openapi/names.ts'
import { cursorPaginationSchema } from '../engine/api/openapi/record-schemas.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer, Description } from '../engine/records/describe.ts'
import { changeSchema, exampleCreation } from './describe.ts'

export const limitDefault = 50
export const limitMax = 100

export function describeHistory(doc: Describer, resource: Resource): Description {
  const pagination = cursorPaginationSchema(doc)
  return {
    id: `list${pascal(resource.name)}History`,
    tag: doc.tag(resource),
    summary: `List the changes of ${withArticle(resource.label)}`,
    details: 'Newest first, also of a deleted record. A page of long changes has fewer of them.',
    query: [
      { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault } },
      { name: 'cursor', schema: { type: 'string' }, about: '`next_cursor` of the last response.' },
    ],
    response: {
      about: 'Some changes of the record.',
      schema: doc.schema('History', () =>
        doc.object({ data: { type: 'array', items: changeSchema(doc) }, pagination }),
      ),
    },
    example: {
      params: { id: doc.exampleId(resource.name) },
      response: {
        data: [exampleCreation(doc, resource)],
        pagination: { limit: limitDefault, has_more: false, cursor: null, next_cursor: null },
      },
    },
  }
}

export function describeAsOf(description: Description, { changesReadBy }: Resource): Description {
  const needed = changesReadBy?.({}).map((scope) => ` Requires \`${scope}\`.`) ?? []
  const asOf = {
    name: 'as_of',
    schema: { type: 'string' },
    about:
      'The record as it was at this timestamp, or after the change with this number, with its emails and phones, and with the relations that `include` names: as of then, or as they are now if you may not read their changes.' +
      needed.join(''),
  }
  const gone = 'The log does not go back to the moment of `as_of`.'
  return { ...description, query: [...(description.query ?? []), asOf], gone }
}
