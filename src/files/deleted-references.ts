import { findAll, type Key, type ListRecords } from './find-references.ts'
import type { FileRecord, Shape } from './shape.ts'

/** The references of an export of ours with these columns whose names are empty if their record was deleted. */
export function mayBeDeleted({ fields, relations }: Shape, paths: readonly (string | undefined)[]): string[] {
  const isNamed = (field: string) => paths.some((path) => path?.startsWith(`${relations[field]}.`))
  return fields.flatMap(({ name, required }) => (!required && paths.includes(name) && isNamed(name) ? [name] : []))
}

/** Whether a record of our NDJSON refers to a deleted record: `"product_id": "…", "product": null`. */
export function refersToDeleted({ relations }: Shape, record: FileRecord): boolean {
  return Object.entries(relations).some(([field, name]) => record[name] === null && typeof record[field] === 'string')
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Leaves out the references to records that were deleted when the file was written, and are not here: a record would be refused for them.
 * `loose`: see `mayBeDeleted`. Returns the ids with the indexes of their records.
 */
export async function leaveOutDeleted(
  { relations, named }: Shape,
  records: readonly FileRecord[],
  list: ListRecords,
  loose: readonly string[],
): Promise<[index: number, id: string][]> {
  const left: [number, string][] = []
  for (const [field, relation] of Object.entries(relations)) {
    const isDeleted = (name: unknown) => name === null || (name === undefined && loose.includes(field))
    const referring = [...records.entries()].flatMap(([index, record]): [number, string][] =>
      isDeleted(record[relation]) && uuid.test(String(record[field]))
        ? [[index, String(record[field]).toLowerCase()]]
        : [],
    )
    if (referring.length === 0 || !Object.hasOwn(named, relation)) continue
    const keys = referring.map(([, id]): Key => ['id', id])
    const found = await findAll(named[relation]!.path, keys, list)
    for (const [index, id] of referring) {
      if (found('id', id).size > 0) continue
      left.push([index, id])
      delete records[index]![field]
    }
  }
  return left
}
