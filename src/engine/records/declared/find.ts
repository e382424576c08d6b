import { unavailable } from '../../../store/constraint.ts'
import type { Resource } from '../definition/resource.ts'
import { type Declared, isDeclarable } from './declared.ts'

/** What the names of declared fields begin with in filters and sorts (decision J3). */
export const prefix = 'metadata.'

/** The declared field that a filter or a sort names; undefined: there is none. Throws SERVICE_UNAVAILABLE while it is being indexed. */
export function findDeclared(declared: readonly Declared[], name: string): Declared | undefined {
  const field = declared.find(({ key }) => prefix + key === name)
  if (field) requireComplete(field)
  return field
}

/** Throws SERVICE_UNAVAILABLE while a field is being indexed. */
export function requireComplete({ key, isComplete }: Pick<Declared, 'key' | 'isComplete'>): void {
  if (!isComplete) throw unavailable(`${prefix}${key} is being indexed: try again in a moment`)
}

/** The names by which lists filter and sort by declared fields, for messages. */
export function declaredNames(resource: Resource, declared: readonly Declared[]): string[] {
  if (!isDeclarable(resource)) return []
  return [...declared.map(({ key }) => prefix + key), `${prefix}<key> once the field is declared`]
}
