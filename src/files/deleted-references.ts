import { findAll, type Key, type ListRecords } from './find-references.ts'
import type { FileRecord, Shape } from './shape.ts'

/** The references that may be left out if nothing is there, and the relations that show what they refer to. */
function optional({ fields, relations, named }: Shape): [field: string, relation: string][] {
  const isRequired = (field: string) => fields.some(({ name, required }) => name === field && required)
  return Object.entries(relations).filter(([field, relation]) => Object.hasOwn(named, relation) && !isRequired(field))
}

/** The references of an export of ours with these columns that say by empty names that the record was deleted. */
export function mayBeDeleted(shape: Shape, paths: readonly (string | undefined)[]): string[] {
  const isNamed = (relation: string) => paths.some((path) => path?.startsWith(`${relation}.`))
  return optional(shape).flatMap(([field, relation]) => (paths.includes(field) && isNamed(relation) ? [field] : []))
}

/** Whether a record of our NDJSON refers to a deleted record: `"product_id": "…", "product": null`. */
export function refersToDeleted(shape: Shape, record: FileRecord): boolean {
  return optional(shape).some(([field, relation]) => typeof record[field] === 'string' && record[relation] === null)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Leaves out the references to records that were deleted when the file was written, and are not here: a record would be refused for them.
 * `loose`: see `mayBeDeleted`. Returns the ids with the indexes of their records.
 */
export async function leaveOutDeleted(
  shape: Shape,
  records: readonly FileRecord[],
  list: ListRecords,
  loose: readonly string[],
): Promise<[index: number, id: string][]> {
  const left: [number, string][] = []
  for (const [field, relation] of optional(shape)) {
    const isDeleted = (record: FileRecord) =>
      record[relation] === null || (loose.includes(field) && !(relation in record))
    const referring = [...records.entries()].filter(
      ([, record]) => uuid.test(String(record[field])) && isDeleted(record),
    )
    const keys = referring.map(([, record]): Key => ['id', String(record[field]).toLowerCase()])
    const found = await findAll(shape.named[relation]!.path, keys, list)
    for (const [at, [index, record]] of referring.entries()) {
      if (found(...keys[at]!).size > 0) continue
      left.push([index, String(record[field])])
      delete record[field]
    }
  }
  return left
}
