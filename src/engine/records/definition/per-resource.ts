import type { Resource } from './resource.ts'

/** Returns a function that computes something for each resource once. Definitions never change. */
export function perResource<T extends object | string>(compute: (resource: Resource) => T): (resource: Resource) => T {
  const known = new WeakMap<Resource, T>()
  return (resource) => {
    let value = known.get(resource)
    if (value === undefined) {
      value = compute(resource)
      known.set(resource, value)
    }
    return value
  }
}
