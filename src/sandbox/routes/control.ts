import type { Describer, JsonSchema } from '../../engine/records/describe.ts'

/** What the control endpoints have in common: they need a key with `admin:all`. */
export const control = { scope: 'admin:all', bodySize: 'small', storesNothing: true } as const

export { controlPath as path } from '../instance.ts'

export function sandboxTag(doc: Describer): string {
  return doc.topic('Sandbox', 'Control of the sandbox: only `kontor sandbox` has these endpoints.')
}

export const momentSchema: JsonSchema = { type: 'string', format: 'date-time' }
export const textSchema: JsonSchema = { type: 'string' }
export const countSchema: JsonSchema = { type: 'integer', minimum: 0 }
export const deletedSchema: JsonSchema = {
  type: 'object',
  properties: { deleted: { type: 'boolean', const: true } },
  required: ['deleted'],
}
