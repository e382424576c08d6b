import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DatabaseFile } from '../../src/cluster/database-file.ts'
import { type BaseHead, receiveBase, sendBase } from '../../src/cluster/database-stream.ts'
import { logSaltsOf } from '../../src/cluster/wal-reader.ts'
import { schema } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import { countFrames } from '../../src/store/durability.ts'
import { openConnection } from '../../src/store/open.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { run } from '../support/program.ts'

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

test('A node whose disk becomes full with the last bytes of a base keeps its database', async (t) => {
  const directory = temporaryDirectory(t)
  const [path, sent] = [join(directory, 'kontor.db'), join(directory, 'sent')]
  writeFileSync(path, 'the database before')
  const parts = [Buffer.from(head({ pages: 64 })), page, Buffer.alloc(63 * 4096), end]
  const hash = createHash('sha256').update(Buffer.concat(parts)).digest()
  writeFileSync(sent, Buffer.concat([...parts, hash]))
  const module = new URL('../../src/cluster/database-stream.ts', import.meta.url).href
  const receive = `import { createReadStream } from 'node:fs'
    const { receiveBase } = await import('${module}')
    await receiveBase('${path}', createReadStream('${sent}'), '${log}')`
  const limited = `trap '' XFSZ; ulimit -f 64; exec "$@"` // like a full disk: a write of more takes only the first bytes

  const { code, stderr } = await run(
    ['sh', '-c', limited, 'sh', process.execPath],
    ['--input-type=module', '-e', receive],
  )

  assert.notEqual(code, 0)
  assert.match(stderr, /EFBIG/)
  assert.equal(readFileSync(path, 'utf8'), 'the database before')
})

test('A base that a leader sends is the database that it has', async (t) => {
  const directory = temporaryDirectory(t)
  const { db, path, release } = openForServer(join(directory, 'data'), schema)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const bytes = readFileSync(path)
  const file = new DatabaseFile(path)
  const base = { ...sound, pages: bytes.length / 4096 }
  const copy = join(directory, 'copy.db')
  for (const suffix of ['-wal', '-shm']) writeFileSync(copy + suffix, 'of the database before')

  assert.deepEqual(await receiveBase(copy, sendBase(file, base, ''), log), base)

  const position = Buffer.alloc(8)
  position.writeBigUInt64BE(7n)
  position.copy(bytes, 72)
  assert.ok(readFileSync(copy).equals(bytes))
  assert.deepEqual(readdirSync(directory).sort(), ['copy.db', 'data'])
  db.close()
  release()
})

/** A database whose log has a few frames. `send` sends a base of this moment, and calls `meanwhile` after its first part. */
function openMoment(t: TestContext) {
  const directory = temporaryDirectory(t)
  const { db, path, release } = openForServer(join(directory, 'data'), schema)
  const write = (value: string) => db.exec(`INSERT OR REPLACE INTO setting VALUES ('moment', '${value}')`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  for (let n = 0; n < 3; n++) write(`before ${n}`)
  const reader = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  t.after(() => {
    for (const each of [reader, db]) each.close()
    release()
  })
  async function* send(meanwhile: () => void): AsyncGenerator<Buffer> {
    reader.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    const pages = reader.pragma('page_count', { simple: true }) as number
    const parts = sendBase(new DatabaseFile(path), { ...sound, pages, frames: countFrames(db) }, logSaltsOf(path))
    yield (await parts.next()).value
    meanwhile()
    yield* parts
  }
  return { db, path, write, copy: join(directory, 'copy.db'), send }
}

test('A base has nothing that is written while it is sent, also if the write-ahead log begins anew meanwhile', async (t) => {
  const { db, write, copy, send } = openMoment(t)
  db.pragma('wal_checkpoint(PASSIVE)') // so that the next commit begins the log anew
  const writeMore = () => {
    for (let n = 0; n < 40; n++) write(`after ${n}`)
  }

  await receiveBase(copy, send(writeMore), log)

  const copied = openConnection(copy, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  assert.equal(copied.prepare("SELECT value FROM setting WHERE name = 'moment'").pluck().get(), 'before 2')
  copied.close()
})

test('A base is not sent without what the write-ahead log has, also if the disk fails', async (t) => {
  const { path, copy, send } = openMoment(t)
  const damage = () => {
    const bytes = readFileSync(`${path}-wal`)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(`${path}-wal`, bytes)
  }

  await assert.rejects(receiveBase(copy, send(damage), log), /does not hold what was committed/)
})

async function* stream(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}
