import { deleted } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import type { Describer, Description, JsonSchema } from '../../engine/records/describe.ts'
import { controlPath } from '../instance.ts'

/** What a control endpoint says about itself. */
export type ControlDescription = Omit<Description, 'tag'>

interface Control
  extends Pick<Route, 'method' | 'run'>,
    Partial<Pick<Route, 'takesBody' | 'bodyOptional' | 'bodySize'>> {
  /** Below that of all control endpoints: `/clock` */
  path: string
  /** Default: a request with parameters is refused. */
  takesParameters?: boolean
  describe(doc: Describer): ControlDescription
}

/** An endpoint that controls the sandbox. It needs a key with `admin:all`. */
export function controlRoute({ path, takesParameters = false, run, describe, ...route }: Control): Route {
  return {
    ...{ takesBody: false, bodySize: 'small', ...route },
    ...{ path: controlPath + path, scope: 'admin:all', storesNothing: true },
    run(call) {
      if (!takesParameters) refuseParameters(call.query)
      return run(call)
    },
    describe(doc) {
      const tag = doc.topic('Sandbox', 'Control of the sandbox: only `kontor sandbox` has these endpoints.')
      return { ...describe(doc), tag }
    },
  }
}

interface Removal extends Pick<Description, 'id' | 'summary' | 'details' | 'errors'> {
  path: string
  remove(params: Call['params']): void
  about: string
  /** The name of the schema of its response. */
  schema: string
  /** Example parameters of the path. */
  params?: Readonly<Record<string, string>>
}

/** A control endpoint that removes something. */
export function removalRoute({ path, remove, about, schema, params, ...description }: Removal): Route {
  return controlRoute({
    ...{ method: 'DELETE', path },
    run(call) {
      remove(call.params)
      return deleted
    },
    describe: (doc) => ({
      ...description,
      conditional: false,
      response: { about, schema: doc.envelope(schema, deletedSchema) },
      example: { ...(params && { params }), response: { data: { deleted: true } } },
    }),
  })
}

/** The schema of a body with these members and no others, all of them optional. `counts`: how many of them it has. */
export function bodySchema(
  doc: Describer,
  name: string,
  properties: Record<string, JsonSchema>,
  counts: { minProperties?: number; maxProperties?: number } = {},
): JsonSchema {
  return doc.schema(name, () => ({ type: 'object', properties, ...counts, additionalProperties: false }))
}

export const momentSchema: JsonSchema = { type: 'string', format: 'date-time' }
export const textSchema: JsonSchema = { type: 'string' }
export const countSchema: JsonSchema = { type: 'integer', minimum: 0 }
const deletedSchema: JsonSchema = {
  type: 'object',
  properties: { deleted: { type: 'boolean', const: true } },
  required: ['deleted'],
}
