import * as v from 'valibot'
import { ApiError, validationError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import type { Items, Row } from './definition/change.ts'
import { detailOf } from './definition/faults.ts'
import { perResource } from './definition/per-resource.ts'
import type { IdList, Link, Resource } from './definition/resource.ts'
import { text } from './kinds/text-kinds.ts'

/** A linked record: its id, and the text of the link. */
export type Linked = Readonly<{ id: string } & Row>

/** Reads the text of a link. Without one, and if it is empty, it is null. Throws VALIDATION_ERROR about `field`. */
export function readLinkText(given: unknown, field: string, label = field): string | null {
  const { issues, output } = v.safeParse(v.nullish(text().schema(label), null), given, { abortPipeEarly: true })
  if (issues) throw validationError(issues.map((issue) => ({ ...detailOf(issue), field })))
  return output as string | null
}

/** The links of a record to undeleted records as a SQL expression for a JSON array: first the one that a reference names, then as added. */
export function linksJson(owner: string, { table, owner: by, target, to, text, first }: Link): string {
  const fields = target.summary.map((name) => `'${name}', target.${name}`)
  return `(SELECT json_group_array(json_object(${[...fields, `'${text}', link.${text}`].join(', ')})
      ORDER BY link.${to} IS NOT ${owner}.${first}, link.position)
    FROM ${table} AS link JOIN ${target.table} AS target ON target.workspace_id = link.workspace_id AND target.id = link.${to}
    WHERE link.workspace_id = ${owner}.workspace_id AND link.${by} = ${owner}.id AND target.deleted_at IS NULL)`
}

/** All links of a record as the log has them: ids and texts, as added. */
export function loggedLinksJson(owner: string, { table, owner: by, to, text }: Link): string {
  return `(SELECT json_group_array(json_object('id', link.${to}, '${text}', link.${text}) ORDER BY link.position)
    FROM ${table} AS link WHERE link.workspace_id = ${owner}.workspace_id AND link.${by} = ${owner}.id)`
}

/** The links of a record, as added. */
export function listLinks({ table, owner, to, text }: Link, reader: Reader, id: string): Linked[] {
  const sql = `SELECT ${to} AS id, ${text} FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ? ORDER BY position`
  return reader.rows<Linked>(sql, id)
}

/** The links that a write of a record changes: those given, with what its references newly name. */
export function linksAfter(
  { links }: Resource,
  tx: Reader,
  { id, before, after }: { id: string; before: Row | undefined; after: Row },
  given: Items,
): Record<string, readonly Row[]> {
  const changed: Record<string, readonly Row[]> = {}
  for (const [name, link] of Object.entries(links)) {
    const named = after[link.first] ?? null
    const isNew = named !== null && named !== (before?.[link.first] ?? null)
    const own = given[name] ?? (isNew ? listLinks(link, tx, id) : undefined)
    if (own === undefined) continue
    const isMissing = isNew && !own.some((each) => each.id === named)
    if (isMissing) requireFree(link, tx, own)
    if (given[name] || isMissing) changed[name] = isMissing ? [...own, { id: named, [link.text]: null }] : own
  }
  return changed
}

/** Throws CONFLICT if a record has as many links as it may have. Those to deleted records do not count: nobody sees them. */
export function requireFree({ target, max }: Link, reader: Reader, links: readonly Row[]): void {
  const sql = `SELECT count(*) FROM ${target.table}
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`
  const count = reader.value<number>(sql, JSON.stringify(links.map(({ id }) => id)))!
  if (count >= max)
    throw new ApiError(
      'CONFLICT',
      `There are ${max} ${target.label.toLowerCase()}s, the highest number: remove one first`,
    )
}

const linkedBy = new WeakMap<Resource, { resource: Resource; name: string; link: Link }[]>()

/** The links of other resources to the records of this one. */
export function linksTo(target: Resource): readonly { resource: Resource; name: string; link: Link }[] {
  return linkedBy.get(target) ?? []
}

export function addLinks(resource: Resource): void {
  for (const [name, link] of Object.entries(resource.links)) {
    linkedBy.set(link.target, [...linksTo(link.target), { resource, name, link }])
  }
}

/** By the filter's name, the link or list of ids that it is about. */
export const linkFilters = perResource<Readonly<Record<string, Link | IdList>>>(({ links, idLists }) =>
  Object.fromEntries([...Object.values(links), ...Object.values(idLists)].map((link) => [link.filter, link])),
)
