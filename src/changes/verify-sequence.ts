import { namedApart } from '../access/logged.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Reader } from '../store/reader.ts'
import { typesOf } from './feed-query.ts'

interface Row {
  seq: number
  at: number
  type: string | null
  actor: string | null
  previous: string | null
  is_readable: 0 | 1
}

const rowsAtOnce = 100

const pageSql = `SELECT seq, at, type.text AS type, actor.text AS actor, previous,
    json_valid(ifnull(previous, '{}')) AND json_valid(ifnull(data, '{}')) AND json_valid(ifnull(cause, '{}')) AS is_readable
  FROM change LEFT JOIN change_term AS type ON type.id = change.type LEFT JOIN change_term AS actor ON actor.id = change.actor
  WHERE workspace_id = :workspace AND seq > ? ORDER BY seq LIMIT ${rowsAtOnce}`

/**
 * Reads the log in order. Finds gaps, times that decrease, and unknown types, authors and fields: one sentence each. Returns whether
 * all changes can be read.
 */
export function* verifySequence(resources: readonly Resource[], reader: Reader): Generator<string, boolean> {
  let readable = true
  const fields = fieldsByType(resources)
  let last: Row | undefined
  for (const row of readAll(reader)) {
    if (last && row.seq !== last.seq + 1) yield `the change after ${last.seq} is ${row.seq}: some are missing`
    if (last && row.at < last.at) yield `change ${row.seq} has an earlier time than the one before`
    if (row.actor === null) yield `change ${row.seq} has an unknown author`
    if (row.type === null || !fields.has(row.type)) yield `change ${row.seq} has an unknown type`
    else if (row.is_readable) yield* unknownFields(row, fields.get(row.type)!)
    if (!row.is_readable) yield `change ${row.seq} has a value that is not JSON`
    readable &&= row.is_readable === 1
    last = row
  }
  yield* missingAuthors(reader)
  return readable
}

function* readAll(reader: Reader): Generator<Row> {
  let rows = reader.rows<Row>(pageSql, 0)
  while (rows.length > 0) {
    yield* rows
    rows = reader.rows<Row>(pageSql, rows.at(-1)!.seq)
  }
}

/** The names that `previous` may have, by type of change. */
function fieldsByType(resources: readonly Resource[]): Map<string, ReadonlySet<string>> {
  return new Map(
    resources.flatMap((resource) => {
      const apart = resource.name === 'user' ? namedApart : []
      const names = new Set([
        ...Object.keys(resource.columns),
        ...Object.keys({ ...resource.collections, ...resource.links }),
        'unshown',
        'derived',
        ...apart,
      ])
      return typesOf(resource).map((type) => [type, names] as const)
    }),
  )
}

function* unknownFields({ seq, type, previous }: Row, known: ReadonlySet<string>): Generator<string> {
  for (const name of previous === null ? [] : Object.keys(JSON.parse(previous))) {
    if (!known.has(name)) yield `change ${seq} is ${type}, but names the unknown field ${name}`
  }
}

/** Keys and users are never removed. An import may be. */
function* missingAuthors(reader: Reader): Generator<string> {
  for (const type of ['api_key', 'user']) {
    const sql = `SELECT text FROM change_term
      WHERE id IN (SELECT DISTINCT actor FROM change WHERE workspace_id = :workspace) AND text LIKE '${type} %' AND NOT EXISTS (
        SELECT 1 FROM workspace_${type} WHERE workspace_id = :workspace AND id = substr(text, ${type.length + 2}))
      LIMIT ${rowsAtOnce}`
    for (const actor of reader.values<string>(sql)) yield `the log has changes by ${actor}, which does not exist`
  }
}
