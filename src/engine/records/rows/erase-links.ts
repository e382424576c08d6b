import type { Writer } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import { linksTo } from '../links.ts'

/**
 * Overwrites what other records say about a record in their links to it, such as the role of a person on a deal, also in the log. A link may
 * have been removed, so all changes with links of this name are searched; an index has them.
 */
export function eraseLinks(resource: Resource, tx: Writer, id: string): void {
  for (const { name, link } of linksTo(resource)) {
    const { table, text, to } = link
    tx.run(`UPDATE ${table} SET ${text} = NULL WHERE workspace_id = :workspace AND ${to} = ?`, id)
    const hasLinks = `instr(previous, '"${name}":[{') > 0 OR instr(data, '"${name}":[{') > 0` // as the index says it
    for (const column of ['previous', 'data']) {
      const list = `json_extract(${column}, '$.${name}')`
      const blanked = `CASE WHEN item.value ->> 'id' = ? THEN json_set(item.value, '$.${text}', NULL) ELSE item.value END`
      const sql = `UPDATE change INDEXED BY change_${name} SET ${column} = json_set(${column}, '$.${name}', json(
          (SELECT json_group_array(json(${blanked}) ORDER BY item.key) FROM json_each(${list}) AS item)))
        WHERE workspace_id = :workspace AND (${hasLinks}) AND instr(${column}, ?) > 0 AND json_type(${column}, '$.${name}') = 'array'`
      tx.run(sql, id, id)
    }
  }
}
