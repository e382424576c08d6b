import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseFile } from '../../src/cluster/database-file.ts'
import { type BaseHead, receiveBase, sendBase } from '../../src/cluster/database-stream.ts'
import { schema } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import { temporaryDirectory } from '../support/directory.ts'

const log = '6f1f2d3c-0000-4000-8000-000000000000'
const sound: BaseHead = { log, position: 7, pageSize: 4096, pages: 1, frames: 0 }
const page = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096 - 16)])
const end = Buffer.alloc(4)

/** What a node may send that is not a leader of this log. The hash is always right. */
const wrong: Record<string, [parts: (string | Buffer)[], message: RegExp]> = {
  'the base of another log': [[head({ log: 'another' }), page, end], /of another log/],
  'a page size that is none': [[head({ pageSize: 0.5 }), page, end], /a head that is not valid/],
  'more pages than a database has': [[head({ pages: 2 ** 40 }), page, end], /a head that is not valid/],
  'a position that is none': [[head({ position: -1 }), page, end], /a head that is not valid/],
  'a page beyond the end': [[head({}), page, Buffer.from([0, 0, 0, 9]), page, end], /a page beyond its end/],
  'something that is no database': [[head({}), Buffer.alloc(4096, 'x'), end], /not a database/],
  'a head without an end': [[`{"log":"${'x'.repeat(100_000)}`], /has no head/],
  'a head that is not JSON': [['x\n'], /is not valid JSON/],
}

function head(changes: Partial<BaseHead>): string {
  return `${JSON.stringify({ ...sound, ...changes })}\n`
}

for (const [what, [parts, message]] of Object.entries(wrong)) {
  test(`A node that is sent ${what} keeps its database`, async (t) => {
    const path = join(temporaryDirectory(t), 'kontor.db')
    writeFileSync(path, 'the database before')
    const hash = createHash('sha256')
    const sent = parts.map((part) => Buffer.from(part))
    for (const part of sent) hash.update(part)

    await assert.rejects(receiveBase(path, stream([...sent, hash.digest()]), log), message)

    assert.equal(readFileSync(path, 'utf8'), 'the database before')
    assert.deepEqual(readdirSync(join(path, '..')), ['kontor.db'])
  })
}

test('A base that a leader sends is the database that it has', async (t) => {
  const directory = temporaryDirectory(t)
  const { db, path, release } = openForServer(join(directory, 'data'), schema)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const bytes = readFileSync(path)
  const file = new DatabaseFile(path)
  const base = { ...sound, pages: bytes.length / 4096 }
  const copy = join(directory, 'copy.db')
  for (const suffix of ['-wal', '-shm']) writeFileSync(copy + suffix, 'of the database before')

  assert.deepEqual(await receiveBase(copy, sendBase(file, base), log), base)

  const position = Buffer.alloc(8)
  position.writeBigUInt64BE(7n)
  position.copy(bytes, 72)
  assert.ok(readFileSync(copy).equals(bytes))
  assert.deepEqual(readdirSync(directory).sort(), ['copy.db', 'data'])
  db.close()
  release()
})

async function* stream(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}
