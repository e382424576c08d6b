import type { Writer } from '../../store/reader.ts'
import type { Row } from './definition/change.ts'
import type { Children, IdList, Resource } from './definition/resource.ts'

/** The undeleted records of a list of ids as a SQL expression for a JSON array, in its order. */
export function idListJson(owner: string, { table, owner: by, target, to }: IdList): string {
  const members = target.summary.map((name) => `'${name}', target.${name}`)
  const isIn = target.idTable ? '' : 'target.workspace_id = list.workspace_id AND target.deleted_at IS NULL AND'
  return `(SELECT json_group_array(json_object(${members.join(', ')}) ORDER BY list.position)
    FROM ${table} AS list JOIN ${target.idTable ?? target.table} AS target ON ${isIn} target.id = list.${to}
    WHERE list.workspace_id = ${owner}.workspace_id AND list.${by} = ${owner}.id)`
}

/** The undeleted records that refer to a record as a SQL expression for a JSON array. */
export function childrenJson(owner: string, { target, by }: Children): string {
  const members = target.summary.map((name) => `'${name}', child.${name}`)
  return `(SELECT json_group_array(json_object(${members.join(', ')}) ORDER BY child.id) FROM ${target.table} AS child
    WHERE child.workspace_id = ${owner}.workspace_id AND child.${by} = ${owner}.id AND child.deleted_at IS NULL)`
}

/** Lets the tables of a record's lists of ids follow the fields that a write changes. */
export function enterIdLists({ idLists }: Resource, tx: Writer, id: string, before: Row | undefined, after: Row): void {
  for (const { field, table, owner, to } of Object.values(idLists)) {
    if (!Object.hasOwn(after, field) || before?.[field] === after[field]) continue
    tx.run(`DELETE FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ?`, id)
    const sql = `INSERT INTO ${table} (workspace_id, ${owner}, ${to}, position) SELECT :workspace, ?, value, key FROM json_each(?)`
    tx.run(sql, id, after[field] ?? '[]')
  }
}

const listedBy = new WeakMap<Resource, { resource: Resource; list: IdList }[]>()

/** The lists of other resources with ids of the records of this one. */
export function idListsTo(target: Resource): readonly { resource: Resource; list: IdList }[] {
  return listedBy.get(target) ?? []
}

export function addIdLists(resource: Resource): void {
  for (const list of Object.values(resource.idLists)) {
    listedBy.set(list.target, [...idListsTo(list.target), { resource, list }])
  }
}
