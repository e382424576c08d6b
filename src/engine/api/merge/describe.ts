import type { Resource } from '../../records/definition/resource.ts'
import type { Describer, Description } from '../../records/describe.ts'
import { fieldsSchema } from '../openapi/body-schemas.ts'
import { lower, pascal, plural } from '../openapi/names.ts'
import { movedMax } from './children.ts'
import { othersMax, preferences } from './request.ts'

/** `children`: what belongs to a record of the resource: `deals`. */
export function describeMerge(doc: Describer, resource: Resource, children: readonly string[]): Description {
  const { label, name, collections } = resource
  const what = lower(label)
  const moving = [...Object.keys(collections), ...children]
  const other = doc.exampleId(`other ${name}`)
  const example = doc.exampleRecord(resource, {}, true)
  return {
    id: `merge${pascal(name)}`,
    tag: doc.tag(resource),
    summary: `Merge ${lower(plural(label))}`,
    details: `The ${what} of the path survives, and the others go to the trash. It fills its empty fields from the others (\`prefer\`), has the values of \`fields\` in any case, and gets what belongs to them: ${moving.join(', ')}. Metadata are merged by key. \`POST /api-v1-undo\` with the id of the request undoes it. Also requires the write scopes of the records that move.`,
    conditional: true,
    body: doc.schema(`${pascal(name)}Merge`, () => ({
      type: 'object',
      properties: {
        with: {
          type: 'array',
          items: { type: 'string', format: 'uuid' },
          minItems: 1,
          maxItems: othersMax,
          uniqueItems: true,
        },
        prefer: {
          type: 'string',
          enum: preferences,
          description:
            '`this` (default): the survivor keeps its values. `newest`: each value is that of the record updated last that has one.',
        },
        fields: fieldsSchema(doc, resource),
        dry_run: { type: 'boolean', description: 'Only show what would result. Default: false.' },
      },
      required: ['with'],
      additionalProperties: false,
    })),
    response: {
      about: `The surviving ${what}, the ids of the others, and how much has moved.`,
      tagged: true,
      schema: doc.schema(`${pascal(name)}Merged`, () =>
        doc.object({
          data: doc.record(resource),
          merged: { type: 'array', items: { type: 'string', format: 'uuid' } },
          moved: doc.object(Object.fromEntries(moving.map((each) => [each, { type: 'integer', minimum: 0 }]))),
        }),
      ),
    },
    errors: {
      CONFLICT: `More than ${movedMax} records would move, or the merged record would be too large.`,
    },
    example: {
      params: { id: doc.exampleId(name) },
      body: { with: [other], dry_run: true },
      response: { data: example, merged: [other], moved: Object.fromEntries(moving.map((each) => [each, 0])) },
    },
  }
}
