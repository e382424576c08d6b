import { groupIdsMax } from '../../finding/duplicates/group.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Describer, Description } from '../../records/describe.ts'
import { lower, pascal, plural } from '../openapi/names.ts'
import { cursorPaginationSchema } from '../openapi/record-schemas.ts'

export function describeDuplicates(doc: Describer, resource: Resource): Description {
  const { duplicates, label, name, pageSize } = resource
  const records = lower(plural(label))
  const reasons = duplicates.map(({ by, within }) => `\`${by}\`${within ? ` (with the same \`${within}\`)` : ''}`)
  const group = doc.schema('DuplicateGroup', () =>
    doc.object({
      reason: { type: 'string', description: 'What the records have in common.' },
      value: { type: 'string', description: 'The common value, as the oldest of the records has it.' },
      count: { type: 'integer', minimum: 2, description: 'The number of records.' },
      ids: {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        maxItems: groupIdsMax,
        description: `Their ids, the oldest first, at most ${groupIdsMax}.`,
      },
    }),
  )
  return {
    id: `list${pascal(name)}Duplicates`,
    tag: doc.tag(resource),
    summary: `List duplicate ${records}`,
    details: `Groups of ${records} that may be the same, by ${reasons.join(', ')}. They are ordered by reason and value. Merge those that are the same.`,
    query: [
      {
        name: 'limit',
        about: `The number of groups, at most ${pageSize.max}; larger values mean ${pageSize.max}.`,
        schema: { type: 'integer', minimum: 1, default: pageSize.default },
      },
      { name: 'cursor', about: '`next_cursor` of the previous page.', schema: { type: 'string' } },
    ],
    response: {
      about: 'A page of groups.',
      schema: doc.schema('DuplicateGroups', () =>
        doc.object({ data: { type: 'array', items: group }, pagination: cursorPaginationSchema(doc) }),
      ),
    },
    example: {
      response: {
        data: exampleGroups(doc, resource),
        pagination: { limit: pageSize.default, has_more: false, cursor: null, next_cursor: null },
      },
    },
  }
}

/** The example record and another one that is the same. */
function exampleGroups(doc: Describer, resource: Resource) {
  const { name, duplicates, collections, itemFilters } = resource
  const record = doc.exampleRecord(resource)
  return duplicates.map(({ by, fields = [by] }) => {
    const of = itemFilters[by]
    const value = of ? collections[of.collection]!.about.first[of.field] : fields.map((each) => record[each]).join(' ')
    return { reason: by, value, count: 2, ids: [doc.exampleId(name), doc.exampleId(`other ${name}`)] }
  })
}
