import { grants } from '../access/scopes.ts'
import type { Resource } from '../engine/records/definition/resource.ts'

/** Whether a key with these scopes may see a change of a record with these data. */
export function mayReadChange(
  { scopes, changesReadBy }: Resource,
  data: Readonly<Record<string, unknown>>,
  held: ReadonlySet<string>,
): boolean {
  const sufficient = changesReadBy?.(data) ?? [scopes.read]
  return sufficient.some((scope) => grants(held, scope))
}

/** Of a resource whose types decide who may see a record: the types that a key with these scopes may see. */
export function readableTypes(resource: Resource, held: ReadonlySet<string>): readonly string[] {
  return resource.fields.type!.options!.filter((type) => mayReadChange(resource, { type }, held))
}
