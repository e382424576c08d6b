import type { Detail } from '../../../errors.ts'
import { invalid, oneOf, quote } from '../definition/faults.ts'
import type { Resource } from '../definition/resource.ts'

type Fields = Resource['fields']

/** The fields that the body of a new record, or one that changes a record, may set. */
export function settable(fields: Fields, isNew: boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, { readonly, fixed }]) => !readonly && (isNew || !fixed)))
}

/** The details of what is not among the names, where it must not be ignored. `at`: the path of the values, such as `fields.`. */
export function unsettable(given: object, names: readonly string[], at = ''): Detail[] {
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  return unknown.map((name) => invalid(`${at}${name}`, oneOf(`${quote(name)} cannot be set`, names)))
}
