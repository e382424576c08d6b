import { loggedIds } from '../access/logged.ts'
import type { LongReading } from '../engine/finding/reading.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { loggedJson, loggedOnly, recordJson, undeleted } from '../engine/records/select.ts'
import type { Reader } from '../store/reader.ts'
import { readableTypes } from './may-read.ts'

/** How a snapshot reads a resource: plain data that any thread can use. */
interface Pictured {
  name: string
  /** Selects the ids of its records after an id, in order. */
  idsSql: string
  /** Selects the JSON of a record. */
  textSql: string
}

const idsAtOnce = 1_000
/** In characters. */
const partLengthMin = 2 ** 16

/** `held`: the scopes of the reader. */
export function picturedOf(resource: Resource, held: ReadonlySet<string>): Pictured {
  if (resource.progressing) return picturedByLog(resource, held)
  const { name, table } = resource
  const ids = table === name ? `SELECT id FROM ${table} WHERE ${undeleted}${loggedOnly(resource)}` : loggedIds(name)
  const json = loggedJson(resource)
  return {
    name,
    idsSql: `${ids} AND id > ? ORDER BY id LIMIT ${idsAtOnce}`,
    textSql: `SELECT ${json} FROM ${table} WHERE workspace_id = :workspace AND id = ?`,
  }
}

/** A record that progresses is as its last change shows it. Its row stands for changes that have been pruned. */
function picturedByLog(resource: Resource, held: ReadonlySet<string>): Pictured {
  const { name, table } = resource
  const types = JSON.stringify(readableTypes(resource, held))
  const logged = `SELECT data FROM change INDEXED BY change_record_id
    WHERE workspace_id = :workspace AND record_id = unhex(replace(${table}.id, '-', '')) ORDER BY seq DESC LIMIT 1`
  return {
    name,
    idsSql: `SELECT id FROM ${table} WHERE ${undeleted} AND type IN (SELECT value FROM json_each('${types}'))
      AND id > ? ORDER BY id LIMIT ${idsAtOnce}`,
    textSql: `SELECT ifnull((${logged}), ${recordJson(resource, [])}) FROM ${table} WHERE workspace_id = :workspace AND id = ?`,
  }
}

/** The lines of a snapshot after the first (decision G8). The reader must be in a transaction. */
export const snapshotReading: LongReading<readonly Pictured[]> = {
  name: 'snapshot',
  parts: snapshotParts,
  advice: 'A sandbox this large has no snapshots: read a few types at a time',
}

function* snapshotParts(reader: Reader, pictured: readonly Pictured[]): Generator<string> {
  let part = ''
  let count = 0
  for (const { name, idsSql, textSql } of pictured) {
    for (const id of readIds(idsSql, reader)) {
      part += `{"resource":"${name}","data":${reader.value<string>(textSql, id)}}\n`
      count++
      if (part.length < partLengthMin) continue
      yield part
      part = ''
    }
  }
  yield `${part}${JSON.stringify({ end: true, count })}\n`
}

function* readIds(sql: string, reader: Reader): Generator<string> {
  let last = ''
  for (;;) {
    const ids = reader.values<string>(sql, last)
    yield* ids
    if (ids.length < idsAtOnce) return
    last = ids.at(-1)!
  }
}
