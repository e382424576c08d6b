import type { Connection } from './open.ts'
import type { Reader, Writer } from './reader.ts'

/** How many transactions have erased something from this database, and how many of them the search index has followed (decision G11). */
export interface Erasures {
  erased: number
  unindexed: number
}

const valueSql = 'SELECT value FROM setting WHERE name = ?'
const erased = 'erased'
const unindexed = 'erased_from_search'

/** Notes that this transaction overwrites something of which no byte may remain: the pages before it are removed from the write-ahead log, too. */
export function noteErasure(tx: Writer): void {
  store(tx, erased, readErasures(tx).erased + 1)
}

/** Notes that the search index has nothing of what the first `count` of these transactions have erased. */
export function noteUnindexed(tx: Writer, count: number): void {
  store(tx, unindexed, count)
}

export function readErasures(reader: Reader): Erasures {
  const read = (name: string) => Number(reader.value<string>(valueSql, name) ?? 0)
  return { erased: read(erased), unindexed: read(unindexed) }
}

export function erasuresReader(db: Connection): () => Erasures {
  const statement = db.prepare(valueSql).pluck()
  const read = (name: string) => Number(statement.get(name) ?? 0)
  return () => ({ erased: read(erased), unindexed: read(unindexed) })
}

function store(tx: Writer, name: string, count: number): void {
  tx.run('INSERT INTO setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, String(count))
}
