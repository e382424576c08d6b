import type { IdList, Link, Resource } from '../../src/engine/records/definition/resource.ts'

/** What creates the tables of links and of lists of ids. */
export function linkTablesOf(resource: Resource) {
  const { links, idLists } = resource
  return [
    ...Object.values(links).map((link) => linkTable(link, resource)),
    ...Object.values(idLists).map((list) => idListTable(list, resource)),
  ]
}

/** What creates the table of a resource's links. */
function linkTable({ table, owner, to, text, target }: Link, { name }: Resource) {
  return {
    table,
    columns: [
      ['workspace_id', 'INTEGER NOT NULL'],
      [owner, 'TEXT NOT NULL'],
      [to, 'TEXT NOT NULL'],
      ['position', 'INTEGER NOT NULL'],
      [text, 'TEXT'],
    ],
    constraints: [
      `CONSTRAINT ${table}_pk PRIMARY KEY (workspace_id, ${owner}, ${to})`,
      `CONSTRAINT ${table}_${owner}_fk FOREIGN KEY (workspace_id, ${owner}) REFERENCES ${name} (workspace_id, id)`,
      `CONSTRAINT ${table}_${to}_fk FOREIGN KEY (workspace_id, ${to}) REFERENCES ${target.name} (workspace_id, id)`,
    ],
    index: `CREATE INDEX ${table}_${to} ON ${table} (workspace_id, ${to}, ${owner});`,
  }
}

/** What creates the table of a list of ids. */
function idListTable({ table, owner, to, target }: IdList, { name }: Resource) {
  const there = target.idTable
    ? `FOREIGN KEY (${to}) REFERENCES ${target.idTable} (id)`
    : `FOREIGN KEY (workspace_id, ${to}) REFERENCES ${target.name} (workspace_id, id)`
  return {
    table,
    columns: [
      ['workspace_id', 'INTEGER NOT NULL'],
      [owner, 'TEXT NOT NULL'],
      [to, 'TEXT NOT NULL'],
      ['position', 'INTEGER NOT NULL'],
    ],
    constraints: [
      `CONSTRAINT ${table}_pk PRIMARY KEY (workspace_id, ${owner}, ${to})`,
      `CONSTRAINT ${table}_${owner}_fk FOREIGN KEY (workspace_id, ${owner}) REFERENCES ${name} (workspace_id, id)`,
      `CONSTRAINT ${table}_${to}_fk ${there}`,
    ],
    index: `CREATE INDEX ${table}_${to} ON ${table} (workspace_id, ${to}, ${owner});`,
  }
}
