import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { schema } from '../../src/commands/open-store.ts'
import { findDamage } from '../../src/store/check.ts'
import { openForServer } from '../../src/store/directory.ts'
import { migrate } from '../../src/store/migrate.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type Disk, faultyDisk } from '../support/faulty-disk.ts'
import { nextSchema, nextVersion } from '../support/next-release.ts'
import { bundle, run } from '../support/program.ts'
import { assertResponses, releases, unpack } from '../support/releases.ts'
import { serve } from '../support/serve.ts'

/** Calls between two at which an upgrade is interrupted; UPGRADE_STRIDE=1 for each one. */
const stride = Number(process.env.UPGRADE_STRIDE ?? 29)

const never = 0

const last = releases.at(-1)!
/** Of the schema that this program makes. */
const currentVersion = schema.steps.at(-1)?.version ?? 1

function open(path: string): Connection {
  return openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
}

function versionOf(path: string): unknown {
  const db = open(path)
  try {
    assert.deepEqual(findDamage(db, nextSchema), [])
    return db.pragma('user_version', { simple: true })
  } finally {
    db.close()
  }
}

/** What is in the schema, names' quotes and white space apart. */
function shapeOf(db: Connection): string[] {
  const texts = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').pluck().all() as string[]
  return texts.map((sql) => sql.replace(/--.*$/gm, '').replaceAll('"', '').replace(/\s+/g, ' ')).sort()
}

for (const release of releases) {
  test(`The database of release ${release.version} is brought here with all its records, and is then like a new one`, async (t) => {
    const directory = temporaryDirectory(t)
    unpack(release, directory)

    const { url, path, stop } = await serve(t, { directory })
    await assertResponses(url, release)
    await stop()

    const [upgraded, fresh] = [open(path), open(':memory:')]
    t.after(() => upgraded.close())
    migrate(fresh, schema.schema, schema.steps)
    assert.deepEqual(shapeOf(upgraded), shapeOf(fresh), 'or else: a step is missing in src/store/migrations.ts')
    assert.deepEqual(findDamage(upgraded, schema), [])
    assert.equal(existsSync(`${path}.v${release.schemaVersion}.bak`), versionOf(path) !== release.schemaVersion)
  })
}

interface Interrupted {
  directory: string
  path: string
  /** Ends the upgrade, as kill -9 does, before its n-th call that changes a file; false where it came through. */
  upgradeUntil(call: number): boolean
  /** Puts the old database back, without what the upgrade may have left. */
  reset(): void
}

/** An upgrade by the next release's server, on a disk that can lose power. */
function interruptible(t: TestContext): Interrupted & { disk: Disk } {
  const work = temporaryDirectory(t)
  const directory = join(work, 'data')
  const disk = faultyDisk(work, directory)
  const path = join(directory, 'kontor.db')
  const program = new URL('../support/next-release.ts', import.meta.url).pathname
  return {
    directory,
    path,
    disk,
    upgradeUntil(call) {
      const env = { ...process.env, ...disk.env, DISK_KILL_AT: String(call) }
      const { status, signal, stderr } = spawnSync(process.execPath, [program, directory], { env, encoding: 'utf8' })
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

/** This program goes on with the database, or says that it is the newer one's; the copy of before is whole once that is so. */
function assertUsable({ directory, path }: Interrupted): void {
  const copy = `${path}.v${last.schemaVersion}.bak`
  if (existsSync(copy)) assert.equal(versionOf(copy), last.schemaVersion)
  if (versionOf(path) === nextVersion) {
    assert.ok(existsSync(copy))
    assert.throws(() => openForServer(directory, schema), /written by a newer Kontor/)
    return
  }
  const { db, release } = openForServer(directory, schema)
  db.close()
  release()
  assert.equal(versionOf(path), currentVersion)
}

for (const outage of ['killed', 'cut off from power'] as const) {
  test(`An upgrade that is ${outage} leaves the old database usable, and the next start finishes it`, async (t) => {
    const upgrade = interruptible(t)
    upgrade.reset()
    let calls = 1
    while (upgrade.upgradeUntil(calls)) {
      if (outage === 'cut off from power') upgrade.disk.cutPower()
      assertUsable(upgrade)
      const { db, release } = openForServer(upgrade.directory, nextSchema)
      db.close()
      release()
      assert.equal(versionOf(upgrade.path), nextVersion)
      upgrade.reset()
      calls += stride
    }
    assert.ok(calls > 10 * stride, 'it was interrupted at many calls')

    const { url } = await serve(t, { directory: upgrade.directory, schema: nextSchema })
    await assertResponses(url, last)
  })
}

test('A program too old for its database ends with what to do, and the copy of before the upgrade can be restored by it', async (t) => {
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
  const message = `${upgrade.path} was written by a newer Kontor (schema ${newer}; this program knows up to ${newest}): run that version or a later one.`
  assert.deepEqual([code, stdout, stderr], [1, '', `kontor: ${message}\n`])
  assert.equal(restored.code, 0, restored.stderr)
  const { url } = await serve(t, { directory: upgrade.directory })
  await assertResponses(url, last)
})
