import { unpackUuid } from '../../../lib/uuid.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import { linksTo } from '../links.ts'

/** What the log says about a record in links of others. */
export interface Mentions {
  /** The numbers of the changes that name it, by the name of the links. */
  readonly seq: Readonly<Record<string, readonly number[]>>
  /** The number of the last change that was searched. */
  readonly until: number
}

const nothing: Mentions = { seq: {}, until: 0 }

/**
 * Searches all changes with links for a record, because a link may have been removed: an index has these changes. It takes long where there are
 * many, so it is done before the transaction that erases the record.
 */
export function findMentions(resource: Resource, reader: Reader, id: string): Mentions {
  const links = linksTo(resource)
  if (links.length === 0) return nothing
  const until = reader.value<number | null>('SELECT max(seq) FROM change WHERE workspace_id = :workspace') ?? 0
  return { until, seq: Object.fromEntries(links.map(({ name }) => [name, search(reader, name, id, 0)])) }
}

/** The records that link to a record, or have done so: their changes tell of it. */
export function mentioning(resource: Resource, reader: Reader, id: string, found: Mentions): string[] {
  const ids = linksTo(resource).flatMap(({ name, link: { table, owner, to } }) => [
    ...reader.values<string>(`SELECT ${owner} FROM ${table} WHERE workspace_id = :workspace AND ${to} = ?`, id),
    ...recordsOf(reader, seqsWith(name, reader, id, found)),
  ])
  return [...new Set(ids)]
}

function recordsOf(reader: Reader, seqs: readonly number[]): string[] {
  const sql = 'SELECT record_id FROM change WHERE workspace_id = :workspace AND seq IN (SELECT value FROM json_each(?))'
  return reader.values<Uint8Array>(sql, JSON.stringify(seqs)).map(unpackUuid)
}

/** What was found, and what has been added since. */
function seqsWith(name: string, reader: Reader, id: string, found: Mentions): number[] {
  return [...(found.seq[name] ?? []), ...search(reader, name, id, found.until)]
}

/** Overwrites what other records say about a record in their links to it, such as the role of a person on a deal, also in the log. */
export function eraseLinks(resource: Resource, tx: Writer, id: string, found = nothing): void {
  for (const { name, link } of linksTo(resource)) {
    const { table, text, to } = link
    const sql = `UPDATE ${table} INDEXED BY ${table}_${to} SET ${text} = NULL WHERE workspace_id = :workspace AND ${to} = ?`
    tx.run(sql, id)
    const seq = JSON.stringify(seqsWith(name, tx, id, found))
    for (const column of ['previous', 'data']) {
      const list = `json_extract(${column}, '$.${name}')`
      const blanked = `CASE WHEN item.value ->> 'id' = ? THEN json_set(item.value, '$.${text}', NULL) ELSE item.value END`
      const sql = `UPDATE change SET ${column} = json_set(${column}, '$.${name}', json(
          (SELECT json_group_array(json(${blanked}) ORDER BY item.key) FROM json_each(${list}) AS item)))
        WHERE workspace_id = :workspace AND seq IN (SELECT value FROM json_each(?))
          AND instr(${column}, ?) > 0 AND json_type(${column}, '$.${name}') = 'array'`
      tx.run(sql, id, seq, id)
    }
  }
}

/** The numbers of the changes after `after` with links of a name that name a record. */
function search(reader: Reader, name: string, id: string, after: number): number[] {
  const hasLinks = `instr(previous, '"${name}":[{') > 0 OR instr(data, '"${name}":[{') > 0` // as the index says it
  const sql = `SELECT seq FROM change INDEXED BY change_${name}
    WHERE workspace_id = :workspace AND seq > ? AND (${hasLinks}) AND (instr(previous, ?) > 0 OR instr(data, ?) > 0)`
  return reader.values<number>(sql, after, id, id)
}
