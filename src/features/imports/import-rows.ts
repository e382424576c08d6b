import type { Rights } from '../../access/author-rights.ts'
import { grants } from '../../access/scopes.ts'
import { requireWrite } from '../../crm/restrictions.ts'
import { type Matching, matchingOn } from '../../engine/api/upsert/matching.ts'
import { laterOf, type NamingRights, namedIn, readNamed } from '../../engine/api/upsert/named.ts'
import { completed, type Mode, upsert } from '../../engine/api/upsert/upsert.ts'
import { declaredOf } from '../../engine/records/declared/declared.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { parseJson } from '../../engine/records/kinds/exact-numbers.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { type JsonObject, readCreate } from '../../engine/records/rows/validate.ts'
import { insert, type Limits } from '../../engine/records/rows/write.ts'
import { ApiError, type Detail, validationError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { readLinks } from './import-links.ts'
import { notAnObject, tooLarge } from './records.ts'
import { failed, inSavepoint, type RowWork, rowErrors } from './row-work.ts'

/** How the records of a job are imported. */
export interface Import {
  resource: Resource
  reader: Reader
  /** What records are matched by; null: each one is created. */
  matchOn: string | null
  mode: Mode
  /** Its results say for which relations records were created. */
  isDryRun: boolean
  /** The rights that the one who asked for the import has now. */
  rightsIn(tx: Writer): Rights
}

/** Validates a record, given as JSON. Its work creates or updates the record, or reports its errors. */
export function importRow(job: Import, text: string): RowWork {
  const record = parseJson(text)
  if (typeof record === 'number') return () => failed([{ error: tooLarge(record), code: 'TOO_LONG' }])
  if (!isPlainObject(record)) return () => failed([{ error: notAnObject, code: 'INVALID_TYPE' }])
  try {
    return importRecord(job, record)
  } catch (error) {
    const errors = rowErrors(error)
    return () => failed(errors)
  }
}

function importRecord(job: Import, body: JsonObject): RowWork {
  const { resource, reader, mode } = job
  const [[input, named], links] = both(
    () =>
      both(
        () => readCreate(resource, reader, body, namedIn(resource, body)),
        () => readNamed(resource, reader, body),
      ),
    () => readLinks(resource, body),
  )
  return inSavepoint((tx, limits) => {
    requireWrite(job.rightsIn(tx), resource)
    const created: string[] = []
    const later = laterOf(named, { ...rightsToName(job, tx, limits), onCreate: (name) => created.push(name) })
    const note = job.isDryRun && { named: created }
    const matching = job.matchOn === null ? undefined : findMatching(resource, tx, job.matchOn)
    if (!matching) {
      const { id } = insert(resource, tx, completed(tx, { input, later, links }), limits)
      return { id, outcome: 'created', ...note }
    }
    const done = upsert(resource, tx, { body, input, matching, mode, later, links }, { limits })
    return { ...done, ...note }
  })
}

/** What the author of an import may do with the records that its rows name. */
export function rightsToName({ rightsIn }: Import, tx: Writer, limits: Limits): NamingRights {
  const { scopes } = rightsIn(tx)
  return { limits, may: (scope) => grants(scopes, scope) }
}

/** The matching of this name. Throws VALIDATION_ERROR if its field is no longer declared, or no longer unique. */
function findMatching(resource: Resource, reader: Reader, name: string): Matching {
  const matching = matchingOn(resource, declaredOf(resource, reader), name)
  if (matching) return matching
  throw validationError([invalid(name, `${name} is no longer a unique declared field`)])
}

/** Runs both. Throws VALIDATION_ERROR with the faults of both. */
function both<A, B>(one: () => A, other: () => B): [A, B] {
  const details: Detail[] = []
  const [a, b] = [attempt(one, details), attempt(other, details)]
  if (details.length > 0) throw validationError(details)
  return [a!, b!]
}

function attempt<T>(run: () => T, details: Detail[]): T | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    details.push(...error.details)
    return undefined
  }
}
