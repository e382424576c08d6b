import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { faultyDisk } from '../support/faulty-disk.ts'
import { bundle, type Command, firstClient, run } from '../support/program.ts'

/** The program, held to the permissions of files even where the tests run as root. */
const restrained: Command =
  process.getuid!() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override', ...bundle] : bundle

const writable = 'the user that runs Kontor must be able to write in its directory and to its files.\n'

/** A data directory with a database, or an empty one. */
async function directory(t: TestContext, { fresh }: { fresh: boolean }): Promise<string> {
  const data = join(temporaryDirectory(t), 'data')
  mkdirSync(data)
  if (!fresh) await firstClient(bundle, data, '')
  return data
}

async function assertRefused(command: Command, data: string, message: string, env = {}): Promise<void> {
  const { code, stdout, stderr } = await run(command, ['serve', '--data', data, '--port', '0'], { env })
  assert.deepEqual([code, stdout, stderr], [1, '', `kontor: ${message}`])
}

test('A directory that cannot be written to is refused at the start, with what to do about it', async (t) => {
  const [fresh, used] = [await directory(t, { fresh: true }), await directory(t, { fresh: false })]
  for (const data of [fresh, used]) chmodSync(data, 0o500)
  chmodSync(join(used, 'kontor.lock'), 0o400)
  try {
    const refused = (file: string, why: string) =>
      assertRefused(restrained, dirname(file), `Cannot use ${file} (${why}): ${writable}`)
    await refused(join(fresh, 'kontor.lock'), 'unable to open database file')
    await refused(join(used, 'kontor.db'), 'attempt to write a readonly database')
  } finally {
    for (const data of [fresh, used]) chmodSync(data, 0o700) // to be removed
  }
})

test('A database or log that cannot be written to is refused at the start, not by each write', async (t) => {
  const data = await directory(t, { fresh: false })
  const [database, log] = [join(data, 'kontor.db'), join(data, 'kontor.db-wal')]

  chmodSync(database, 0o400)
  await assertRefused(restrained, data, `Cannot write to ${database}: ${writable}`)
  chmodSync(database, 0o600)
  writeFileSync(log, '', { mode: 0o400 })
  await assertRefused(restrained, data, `Cannot write to ${log}: ${writable}`)
})

const failing =
  "the disk or its file system fails: see the system's log; if it is lost, restore a backup on another one.\n"
const faults = [
  {
    name: 'A disk that cannot be read',
    call: 'read',
    error: 'EIO',
    fresh: false,
    told: `(disk I/O error): ${failing}`,
  },
  {
    name: 'A disk that cannot be written to',
    call: 'write',
    error: 'EIO',
    fresh: true,
    told: `(disk I/O error): ${failing}`,
  },
  {
    name: 'A full disk',
    call: 'write',
    error: 'ENOSPC',
    fresh: true,
    told: '(database or disk is full): make room on the disk, then start again.\n',
  },
] as const

for (const { name, call, error, fresh, told } of faults) {
  test(`${name} is told at the start, with what to do about it`, async (t) => {
    const data = await directory(t, { fresh })
    const disk = faultyDisk(temporaryDirectory(t), data)
    disk.fail(call, 'database', error)

    await assertRefused(bundle, data, `Cannot use ${data}/kontor.db ${told}`, disk.env)
  })
}
