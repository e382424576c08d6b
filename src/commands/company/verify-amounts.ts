import { usersMax } from '../../access/user.ts'
import type { Collection, Link, Resource } from '../../engine/records/definition/resource.ts'
import { itemsMax } from '../../engine/records/rows/validate.ts'
import { loggedResources } from '../../features/index.ts'
import type { Reader } from '../../store/reader.ts'
import type { Unverified } from './unverified.ts'

/** How many times as many items, links and parts of a list an undo and restores may leave as a request can add. */
export const lenience = 10

/** Finds more users, records, items and links than Kontor allows: a server would read them all at once. One sentence each. */
export function* verifyAmounts({ access }: Unverified): Generator<string> {
  const users = access.value<number>('SELECT count(*) FROM main.user')!
  if (users > usersMax) yield `the company has ${users} users; at most ${usersMax} are allowed`
  for (const resource of loggedResources) {
    yield* records(resource, access)
    for (const { table, owner } of Object.values<Collection>(resource.collections))
      yield* more(access, { table, by: owner, max: lenience * itemsMax })
    for (const { table, owner, max } of Object.values<Link>(resource.links))
      yield* more(access, { table, by: owner, max: lenience * max })
  }
}

function records({ table, max, ownedBy, within }: Resource, access: Reader): Iterable<string> {
  if (max === undefined) return []
  return more(access, { table, by: ownedBy ?? within, where: 'WHERE deleted_at IS NULL', max })
}

interface Counted {
  table: string
  /** The column of what they belong to; default: the workspace. */
  by?: string | undefined
  where?: string
  max: number
}

function* more(access: Reader, { table, by, where = '', max }: Counted): Generator<string> {
  const group = ['workspace_id', by].filter(Boolean).join(', ')
  const sql = `SELECT count(*) AS found FROM main."${table}" ${where} GROUP BY ${group} ORDER BY found DESC LIMIT 1`
  const found = access.value<number>(sql) ?? 0
  if (found > max) yield `${found} rows of ${table} belong together; at most ${max} are allowed`
}
