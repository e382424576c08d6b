import type { Resource } from './definition/resource.ts'

const entrants = new WeakMap<Resource, Resource[]>()

/** Notes that records of `resource` enter those of `target` (`entry`). */
export function addEntrant(target: Resource, resource: Resource): void {
  entrants.set(target, [...entrantsOf(target), resource])
}

/** The resources whose records enter a record of this one. */
export function entrantsOf(target: Resource): readonly Resource[] {
  return entrants.get(target) ?? []
}
