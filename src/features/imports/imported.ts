import { records } from '../../crm/records.ts'
import type { Resource, Scopes } from '../../engine/records/definition/resource.ts'
import { importTypeOf, pluralOf } from '../../lib/plural.ts'

/** The type of a job that undoes changes (decision G12). */
export const undoType = 'undo'

/** Lists of jobs sort by the ranks of types, which are stored: a type that comes later is ranked after these. */
const firstTypes = ['contacts', 'organizations', 'deals', 'tasks', 'activities'].map((plural) => `import_${plural}`)

const importable = new Map(records.filter(({ offers }) => offers.imports).map((each) => [importTypeOf(each), each]))

export const jobTypes: readonly string[] = [...new Set([...firstTypes, undoType, ...importable.keys()])]

/** The resources that can be imported, by the type of the job (decision D6). */
export const imported: Readonly<Record<string, Resource>> = Object.fromEntries(
  jobTypes.flatMap((type) => (importable.has(type) ? [[type, importable.get(type)!]] : [])),
)

/** The resources that can be imported, by the last part of their path: `contacts`. */
export const importedByPath: Readonly<Record<string, Resource>> = Object.fromEntries(
  Object.values(imported).map((each) => [pluralOf(each), each]),
)

/** The scopes of which a key needs one to see jobs of a type, and the one to cancel them (decisions A6, G12). */
export function jobScopes(type: string): Scopes {
  return imported[type]?.scopes ?? { read: 'read:all', write: 'write:all' }
}
