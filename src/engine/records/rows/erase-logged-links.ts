import type { Writer } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import { linksTo } from '../links.ts'

/**
 * Overwrites in the log what other records said about a record in their links to it, such as the role of a person on a deal: the whole log of
 * the workspace is searched, because a link may have been removed.
 */
export function eraseLoggedLinks(resource: Resource, tx: Writer, id: string): void {
  for (const { name, link } of linksTo(resource)) {
    const { text } = link
    for (const column of ['previous', 'data']) {
      const list = `json_extract(${column}, '$.${name}')`
      const blanked = `CASE WHEN item.value ->> 'id' = ? THEN json_set(item.value, '$.${text}', NULL) ELSE item.value END`
      const sql = `UPDATE change SET ${column} = json_set(${column}, '$.${name}', json(
          (SELECT json_group_array(json(${blanked}) ORDER BY item.key) FROM json_each(${list}) AS item)))
        WHERE workspace_id = :workspace AND instr(${column}, ?) > 0 AND json_type(${column}, '$.${name}') = 'array'`
      tx.run(sql, id, id)
    }
  }
}
