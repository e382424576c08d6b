import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { schema } from '../../src/commands/open-store.ts'
import { findDamage } from '../../src/store/check.ts'
import { openForServer } from '../../src/store/directory.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import type { Schema } from '../../src/store/shape.ts'
import { assertResponses, compareVersions, digestsOf, releases, requireNew, unpack } from '../releases/releases.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { withoutCompiler } from '../support/needs.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'
import { type Disk, faultyDisk } from './faulty-disk.ts'
import { nextSchema, nextVersion } from './next-release.ts'

/** An upgrade is interrupted at every n-th call that changes a file; UPGRADE_STRIDE=1 interrupts it at each. */
const stride = Number(process.env.UPGRADE_STRIDE ?? 211)

const never = 0

const nextProgram = new URL('./next-release.ts', import.meta.url).pathname

const last = releases.at(-1)!
/** The schema version of this program. */
const currentVersion = schema.steps.at(-1)?.version ?? 1

function open(path: string): Connection {
  return openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })
}

/** Fails if the database has damage. */
function versionOf(path: string, expected: Schema = nextSchema): unknown {
  const db = open(path)
  try {
    assert.deepEqual(findDamage(db, expected), [])
    return db.pragma('user_version', { simple: true })
  } finally {
    db.close()
  }
}

for (const release of releases) {
  test(`A database of release ${release.version} is upgraded with all its records to the schema of a new database`, async (t) => {
    const directory = temporaryDirectory(t)
    unpack(release, directory)

    const { url, path, stop } = await start(t, { directory })
    await assertResponses(url, release)
    await stop()

    const upgraded = open(path)
    t.after(() => upgraded.close())
    assert.deepEqual(findDamage(upgraded, schema), [], 'src/store/migrations/index.ts and schema.sql must agree')
    assert.equal(existsSync(`${path}.v${release.schemaVersion}.bak`), versionOf(path) !== release.schemaVersion)
  })

  test(`The migration steps of release ${release.version} have not changed`, () => {
    assert.deepEqual(digestsOf(schema.steps).slice(0, release.steps.length), release.steps)
  })
}

test('Releases are ordered by version number, and a release is stored only once', () => {
  assert.deepEqual(['0.10.0', '1.0.0', '0.9.1', '0.9.0'].sort(compareVersions), ['0.9.0', '0.9.1', '0.10.0', '1.0.0'])
  assert.throws(() => requireNew(last.version), /stored already/)
  assert.doesNotThrow(() => requireNew('999.0.0'))
})

interface Interrupted {
  directory: string
  path: string
  /** Runs the upgrade and kills it before its n-th call that changes a file; returns false if it completed before. */
  upgradeUntil(call: number): boolean
  /** Restores the old database and removes everything else. */
  reset(): void
}

/** Prepares an upgrade by the next release's server on a disk that can lose power. */
function interruptible(t: TestContext): Interrupted & { disk: Disk } {
  const work = temporaryDirectory(t)
  const directory = join(work, 'data')
  const disk = faultyDisk(work, directory)
  const path = join(directory, 'kontor.db')
  return {
    directory,
    path,
    disk,
    upgradeUntil(call) {
      const env = { ...process.env, ...disk.env, DISK_KILL_AT: String(call) }
      const { status, signal, stderr } = spawnSync(process.execPath, [nextProgram, directory], {
        env,
        encoding: 'utf8',
      })
      assert.ok(status === 0 || signal === 'SIGKILL', stderr)
      return status !== 0
    },
    reset() {
      rmSync(directory, { recursive: true })
      unpack(last, directory)
      disk.settle()
    },
  }
}

/** Fails unless this program opens the database, or refuses it as a newer one and the backup of the old one is complete. */
function assertUsable({ directory, path }: Interrupted, isNew: IsNew): void {
  const copy = `${path}.v${last.schemaVersion}.bak`
  if (existsSync(copy) && isNew(digestOf(copy))) assert.equal(versionOf(copy), last.schemaVersion)
  if (soundVersionOf(path) === nextVersion) {
    assert.ok(existsSync(copy))
    assert.throws(() => openForServer(directory, schema), /written by a newer Kontor/)
    return
  }
  const { db, release } = openForServer(directory, schema)
  db.close()
  release()
  assert.equal(versionOf(path, schema), currentVersion)
}

/** Its definitions and totals are checked by what opens the database, and afterwards. */
function soundVersionOf(path: string): unknown {
  const db = open(path)
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    assert.deepEqual(db.pragma('foreign_key_check'), [])
    return db.pragma('user_version', { simple: true })
  } finally {
    db.close()
  }
}

/** Whether it is the first time that it is asked about this content. */
type IsNew = (content: string) => boolean

function digestOf(path: string): string {
  return hash('sha256', readFileSync(path))
}

const logHeaderBytes = 32

/** What the next program finds: the database, its log and copies. It makes the log's index anew, and a log with nothing but a random header is empty. */
function contentOf(directory: string): string {
  const names = readdirSync(directory).filter((name) => /(?:\.db|-wal|\.bak.*)$/.test(name))
  const files = names.map((name) => join(directory, name))
  const filled = files.filter((path) => !path.endsWith('-wal') || statSync(path).size > logHeaderBytes)
  return filled.map((path) => `${path} ${digestOf(path)}`).join()
}

const outages = ['a kill', 'a power cut'] as const

test('An upgrade that is interrupted by a kill or a power cut leaves the old database usable, and the next start completes it', {
  skip: withoutCompiler,
}, async (t) => {
  const upgrade = interruptible(t)
  const { directory, path, disk } = upgrade
  const killed = `${directory}.killed`
  const seen = new Set<string>()
  const isNew: IsNew = (content) => seen.size < seen.add(content).size
  upgrade.reset()
  let calls = 1
  for (; upgrade.upgradeUntil(calls); calls += stride) {
    cpSync(directory, killed, { recursive: true })
    for (const outage of outages) {
      rmSync(directory, { recursive: true })
      cpSync(killed, directory, { recursive: true })
      if (outage === 'a power cut') disk.cutPower()
      if (!isNew(contentOf(directory))) continue
      assertUsable(upgrade, isNew)
      const { db, release } = openForServer(directory, nextSchema)
      db.close()
      release()
      assert.equal(versionOf(path), nextVersion)
    }
    rmSync(killed, { recursive: true })
    upgrade.reset()
  }
  assert.ok(calls > 10 * stride, 'the upgrade was interrupted at many calls')

  const { url } = await start(t, { directory, schema: nextSchema })
  await assertResponses(url, last)
})

test('An upgrade that fills the disk changes nothing and says what to do; it completes once there is space', {
  skip: withoutCompiler,
}, async (t) => {
  const { directory, path, disk, reset } = interruptible(t)
  reset()

  disk.fail('write', 'log', 'ENOSPC')
  const { status, stderr } = spawnSync(process.execPath, [nextProgram, directory], {
    env: { ...process.env, ...disk.env },
    encoding: 'utf8',
  })
  disk.heal()

  assert.equal(status, 1)
  assert.match(stderr, /OperatorError: Cannot use .*kontor\.db \(database or disk is full\)/)
  assert.equal(versionOf(path), last.schemaVersion)
  const { url } = await start(t, { directory, schema: nextSchema })
  await assertResponses(url, last)
  assert.equal(versionOf(path), nextVersion)
})

test('An older program refuses a newer database, says what to do, and can restore the backup that the upgrade made', async (t) => {
  const upgrade = interruptible(t)
  upgrade.reset()
  assert.equal(upgrade.upgradeUntil(never), false)

  const { code, stdout, stderr } = await run(bundle, ['serve', '--data', upgrade.directory, '--port', '0'])
  const restored = await run(bundle, [
    'restore',
    `${upgrade.path}.v${last.schemaVersion}.bak`,
    '--data',
    upgrade.directory,
  ])

  const [newer, newest] = [nextVersion, currentVersion]
  const message = `${upgrade.path} was written by a newer Kontor (schema ${newer}; this program supports up to ${newest}): run that version or a later one.`
  assert.deepEqual([code, stdout, stderr], [1, '', `kontor: ${message}\n`])
  assert.equal(restored.code, 0, restored.stderr)
  const { url } = await start(t, { directory: upgrade.directory })
  await assertResponses(url, last)
})
