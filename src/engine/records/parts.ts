import type { Resource } from './definition/resource.ts'

const parts = new WeakMap<Resource, Resource[]>()

/** Makes the records of a resource parts of those that they refer to by `partOf`. */
export function addPart(whole: Resource, part: Resource): void {
  parts.set(whole, [...partsOf(whole), part])
}

/** The resources whose records are parts of a record of this one. */
export function partsOf(whole: Resource): readonly Resource[] {
  return parts.get(whole) ?? []
}
