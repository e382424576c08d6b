import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { schema } from '../../src/commands/open-store.ts'
import { findDamage } from '../../src/store/check.ts'
import { foldKeys, hasKeysToFold } from '../../src/store/fold-keys.ts'
import { openConnection } from '../../src/store/open.ts'
import { releases, unpack } from '../releases/releases.ts'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { lifetime } from '../support/fault-times.ts'
import { bundle, launch, run } from '../support/program.ts'

const oldest = releases[0]!
const planted = 10_000

/** A database of the first release with many texts that have accents. */
function oldDatabase(t: TestContext): string {
  const directory = temporaryDirectory(t)
  unpack(oldest, directory)
  const db = openConnection(join(directory, 'kontor.db'), { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  const id = "printf('019ecb27-2200-7000-9000-%012x', n)"
  const numbers = `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT ${planted})`
  db.exec(`
    ${numbers} INSERT INTO organization (workspace_id, id, name, name_key, status, status_key, city, city_key, metadata, created_at, updated_at)
      SELECT 1, ${id}, 'Größe ' || n, 'größe ' || n, 'lead', 0, 'MÜNCHEN', 'münchen', '{}', '2026-06-15T12:00:00.000Z',
        '2026-06-15T12:00:00.000Z' FROM number;
    INSERT INTO contact_phone SELECT 1, id, id, '0049 (0)89 / 777', '0049 (0)89 / 777', 'work', 0 FROM contact LIMIT 1;
    INSERT INTO activity (workspace_id, id, type, type_key, subject, subject_key, metadata, created_at, updated_at)
      SELECT 1, ${id.replace('9000', 'a000').replace('n)', '1)')}, 'call', 0, 'Rückruf', 'rückruf', '{}', '2026-06-15T12:00:00.000Z',
        '2026-06-15T12:00:00.000Z';
    INSERT INTO stage (workspace_id, id, name, name_key, color, position, metadata, created_at, updated_at)
      SELECT 1, printf('019ecb27-2200-7000-b000-%012x', n), name, lower_case, '#ffffff', 20 + n, '{}', '2026-06-15T12:00:00.000Z',
        '2026-06-15T12:00:00.000Z' FROM (SELECT 1 AS n, 'Über' AS name, 'über' AS lower_case UNION SELECT 2, 'Uber', 'uber')`)
  db.close()
  return directory
}

/** Starts the server on the directory and kills it some milliseconds after it has begun to rewrite keys. Returns whether it was ready before. */
async function interruptAfter(directory: string, ms: number): Promise<boolean> {
  const [program, ...args] = bundle
  const child = spawn(program, [...args, 'serve', '--data', directory, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const reached = (message: string) => text.includes(`"msg":"${message}`)
  for await (const chunk of child.stdout) {
    text += chunk
    if (reached('listening')) break
    if (reached('rewriting sort keys')) {
      void lifetime(ms).then(() => child.kill('SIGKILL'))
      break
    }
  }
  const isReady = reached('listening')
  if (isReady) child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return isReady
}

async function totalOf(client: Client, path: string): Promise<number> {
  const { status, body } = await client.get(path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.pagination.total
}

async function assertFolded(url: string): Promise<void> {
  const client = clientFor(url, { id: '', key: oldest.key })
  const of = (path: string) => totalOf(client, `/api-v1-${path}&limit=1`)
  assert.equal(await of('organizations?name[like]=grosse'), planted)
  assert.equal(await of('organizations?name[like]=GR%C3%96%C3%9FE%20777&city=M%C3%9CNCHEN'), 11)
  assert.equal(await of('organizations?name[gte]=grosse&name[lt]=grossf'), planted)
  assert.equal(await of('activities?subject[like]=ruckruf'), 1)
  assert.equal(await of('contacts?phone=%2B49%2089%20777'), 1)
  assert.equal(await of('stages?name[like]=uber'), 2)
}

/** The state of the database file: whether keys remain to be rewritten, and what is wrong with it. */
function stateOf(path: string): { remaining: boolean; damage: string[] } {
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  try {
    return { remaining: hasKeysToFold(db), damage: findDamage(db, schema) }
  } finally {
    db.close()
  }
}

test('An upgrade that is killed while it rewrites keys goes on at the next start, and is complete before the server listens', async (t) => {
  const directory = oldDatabase(t)
  const path = join(directory, 'kontor.db')
  let kills = 0
  for (let ms = 0; !(await interruptAfter(directory, ms)); ms += 150) {
    assert.deepEqual(stateOf(path).damage, [])
    kills++
  }
  assert.ok(kills > 0, 'the upgrade was killed')
  assert.equal(stateOf(path).remaining, false)

  const { first, stop } = await launch(t, bundle, ['serve', '--data', directory, '--port', '0'])
  await assertFolded(first.url!)
  await stop()
  const { code, stderr } = await run(bundle, ['check', '--data', directory])
  assert.deepEqual([code, stderr], [0, ''])
})

test('A database whose keys are rewritten in part can be checked, backed up and restored, and a command completes it', async (t) => {
  const directory = oldDatabase(t)
  const path = join(directory, 'kontor.db')
  assert.equal(await interruptAfter(directory, 0), false)
  assert.equal(stateOf(path).remaining, true)

  const copy = join(temporaryDirectory(t), 'copy.db')
  for (const args of [
    ['check', '--data', directory],
    ['backup', copy, '--data', directory],
    ['check', copy, '--data', directory],
  ]) {
    const { code, stderr } = await run(bundle, args)
    assert.equal(code, 0, `${args}: ${stderr}`)
  }
  const restored = temporaryDirectory(t)
  const { code, stderr } = await run(bundle, ['restore', copy, '--data', restored])
  assert.equal(code, 0, stderr)

  const listed = await run(bundle, ['company', 'create', '--name', 'Later', '--json', '--data', restored])
  assert.equal(JSON.parse(listed.stdout).name, 'Later', 'standard output has the result only')
  assert.match(listed.stderr, /rewriting sort keys/)
  assert.equal(stateOf(join(restored, 'kontor.db')).remaining, false)
  const { first, stop } = await launch(t, bundle, ['serve', '--data', restored, '--port', '0'])
  await assertFolded(first.url!)
  await stop()
})

test('The server says what it rewrites and about how long it takes', async (t) => {
  const directory = oldDatabase(t)
  assert.equal(await interruptAfter(directory, 0), false)
  const db = openConnection(join(directory, 'kontor.db'), { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  t.after(() => db.close())
  const told: [string, Record<string, unknown>][] = []

  const indexes = schema.steps.flatMap(({ afterKeys = [] }) => afterKeys)
  foldKeys(db, indexes, (message, fields) => told.push([message, fields]))

  const [[message, fields]] = told as [[string, Record<string, number>]]
  assert.match(message, /^rewriting sort keys and search text/)
  assert.ok(fields.rows! > planted && fields.about_seconds! >= 1)
  assert.match(told.at(-1)![0], /^rewrote sort keys$/)
})
