import type { Reader, Writer } from '../../../store/reader.ts'
import type { Link, Resource } from '../../records/definition/resource.ts'
import { idListsTo } from '../../records/id-lists.ts'
import { type Linked, linksTo, listLinks } from '../../records/links.ts'
import { updateRow } from '../../records/rows/rows.ts'
import { lookupRow } from '../../records/rows/stored-row.ts'
import { movedMax, tooMany } from './children.ts'

/** Records whose links lead to merged ones. */
interface Linking {
  readonly resource: Resource
  readonly name: string
  readonly link: Link
  readonly ids: readonly string[]
}

/** The undeleted records whose links lead to some records. Throws what `requireWrite` throws, and CONFLICT if they are too many. */
export function findLinking(
  target: Resource,
  reader: Reader,
  others: readonly string[],
  requireWrite: (resource: Resource) => void,
): Linking[] {
  return linksTo(target).map(({ resource, name, link }) => {
    const { table, owner, to } = link
    const sql = `SELECT DISTINCT link.${owner} FROM ${table} AS link INDEXED BY ${table}_${to}
      JOIN ${resource.table} AS record ON record.workspace_id = link.workspace_id AND record.id = link.${owner}
      WHERE link.workspace_id = :workspace AND link.${to} IN (SELECT value FROM json_each(?)) AND record.deleted_at IS NULL
      LIMIT ${movedMax + 1}`
    const ids = reader.values<string>(sql, JSON.stringify(others))
    if (ids.length > 0) requireWrite(resource)
    if (ids.length > movedMax) throw tooMany()
    return { resource, name, link, ids }
  })
}

/** Lets links lead to the survivor of a merge instead of the others, with its own text if there is one (decision T2). */
export function moveLinks(
  survivor: string,
  tx: Writer,
  { resource, name, link, ids }: Linking,
  others: readonly string[],
): void {
  for (const id of ids) {
    const before = lookupRow(resource, tx, id)!
    const links = merged(listLinks(link, tx, id), link.text, survivor, others)
    const after = { ...before, ...(others.includes(String(before[link.first])) && { [link.first]: survivor }) }
    updateRow(resource, { tx, id, before, given: {}, after, items: { [name]: links } })
  }
}

/** The first of the merged ones keeps its place. */
function merged(links: readonly Linked[], text: string, survivor: string, others: readonly string[]): Linked[] {
  const own = links.filter(({ id }) => id === survivor || others.includes(id))
  const texts = own.toSorted((a, b) => Number(b.id === survivor) - Number(a.id === survivor)).map((each) => each[text])
  const one: Linked = { id: survivor, [text]: texts.find((each) => each !== null) ?? null }
  return links.flatMap((each) => (own.includes(each) ? (each === own[0] ? [one] : []) : [each]))
}

/** Lets lists of ids have the survivor instead of the others. */
export function moveIdLists(target: Resource, tx: Writer, survivor: string, others: readonly string[]): void {
  for (const { resource, list } of idListsTo(target)) {
    const { table, owner, to, field } = list
    const sql = `SELECT DISTINCT list.${owner} FROM ${table} AS list INDEXED BY ${table}_${to}
      JOIN ${resource.table} AS record ON record.workspace_id = list.workspace_id AND record.id = list.${owner}
      WHERE list.workspace_id = :workspace AND list.${to} IN (SELECT value FROM json_each(?)) AND record.deleted_at IS NULL`
    for (const id of tx.values<string>(sql, JSON.stringify(others))) {
      const before = lookupRow(resource, tx, id)!
      const ids = (JSON.parse(String(before[field])) as string[]).map((each) =>
        others.includes(each) ? survivor : each,
      )
      updateRow(resource, {
        tx,
        id,
        before,
        given: {},
        after: { ...before, [field]: JSON.stringify([...new Set(ids)]) },
      })
    }
  }
}
