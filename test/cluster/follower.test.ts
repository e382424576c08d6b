import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { encodeEntry } from '../../src/cluster/entry.ts'
import { Follower } from '../../src/cluster/follower.ts'
import type { Log } from '../../src/cluster/log.ts'
import type { Pages } from '../../src/cluster/pages.ts'
import type { WalWriter } from '../../src/cluster/wal-writer.ts'
import { LogPosition } from '../../src/store/log-position.ts'

/** A follower of a log that is read by this function, and the positions of the entries that it has written. */
function follow(read: (position: number, local: boolean) => object) {
  const written: number[] = []
  const writer = { apply: (_: Pages, position: number) => void written.push(position) } as WalWriter
  const log = { read: async (position: number, local: boolean) => read(position, local) } as unknown as Log
  return { written, follower: new Follower({ log, id: 'log', writer, position: new LogPosition(0) }) }
}

/** The first part of an entry with a page of this size. */
async function firstPart(pageBytes: number): Promise<Buffer> {
  const pages = new Map([[1, randomBytes(pageBytes)]])
  const [first] = await encodeEntry({ pages, databasePages: 1, end: { salts: '', frames: 1 } }, 1)
  return first!
}

const stateAt = (position: number, parts: object[] = []) => ({
  head: { log: 'log', position },
  trimmed: { position: 0 },
  parts,
})

test('A follower that has the beginning of an entry which its leader did not complete goes on with the one after it', async () => {
  const parts = [await firstPart(2 ** 21), await firstPart(4096)].map((bytes, at) => ({ position: at + 1, bytes }))
  const { written, follower } = follow(() => stateAt(2, parts))

  await follower.step()

  assert.deepEqual(written, [2])
})

test('A follower that reads an earlier state of its log than before asks a majority for the present one', async () => {
  const parts = [{ position: 1, bytes: await firstPart(4096) }]
  const { written, follower } = follow((position, local) => stateAt(local ? 0 : 1, position === 0 ? parts : []))
  await follower.step(true)

  const state = await follower.step(false)

  assert.deepEqual([state.head?.position, written], [1, [1]])
})
