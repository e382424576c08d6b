import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type State, writeState } from '../../src/cluster/state.ts'
import { download, uploaded } from '../features/files/files.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { prepareCompany } from '../support/prepare.ts'
import { administer, bundle, type Command, launch } from '../support/program.ts'
import { start } from '../support/start.ts'

/** The service's user and group. */
const [uid, gid] = [54_321, 54_322]

const isRoot = process.getuid!() === 0
const asRoot = { skip: isRoot ? false : 'only root can create files for other users' }

/** Runs the program as the service's user. */
const asService: Command = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...bundle]

/** A data directory of the service, and one for backups. */
function directories(t: TestContext): { data: string; backups: string; service: NodeJS.ProcessEnv } {
  const base = temporaryDirectory(t)
  chmodSync(base, 0o755)
  const [data, backups, temporary] = ['data', 'backups', 'tmp'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [data, backups, temporary]) {
    mkdirSync(each)
    chownSync(each, uid, gid)
  }
  return { data, backups, service: { TMPDIR: temporary } }
}

function assertOwned(directory: string, files: string[]): void {
  assert.deepEqual(readdirSync(directory).sort(), files)
  for (const file of files) {
    const stats = statSync(join(directory, file))
    assert.deepEqual([stats.uid, stats.gid, stats.mode & 0o777], [uid, gid, 0o600], file)
  }
}

test('Files that root creates in a directory of the service belong to the service', asRoot, async (t) => {
  const { data, service } = directories(t)

  await administer(bundle, 'company', 'create', '--name', 'Acme', '--data', data)

  assertOwned(data, ['kontor.db', 'kontor.lock'])
  const { first, stop } = await launch(t, asService, ['serve', '--data', data, '--port', '0'], { env: service })
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200)
  await administer(bundle, 'company', 'list', '--data', data)
  assertOwned(data, ['kontor.db', 'kontor.db-shm', 'kontor.db-wal', 'kontor.lock', 'kontor.lock-journal'])
  assert.equal(await stop(), 0)
})

test(
  'A database that root restores has the owner and permissions of the former one, and the service starts',
  asRoot,
  async (t) => {
    const { data, backups, service } = directories(t)
    const [file, database] = [join(backups, 'copy.db'), join(data, 'kontor.db')]
    await prepareCompany(data)
    await administer(bundle, 'backup', file, '--data', data)
    chmodSync(database, 0o640)

    const { kept } = await administer(bundle, 'restore', file, '--data', data)

    assertOwned(backups, ['copy.db'])
    for (const each of [database, kept]) {
      const stats = statSync(each)
      assert.deepEqual([stats.uid, stats.gid, stats.mode & 0o777], [uid, gid, 0o640], each)
    }
    const { stop } = await launch(t, asService, ['serve', '--data', data, '--port', '0'], { env: service })
    assert.equal(await stop(), 0)
  },
)

test(
  'A database that root restores into an empty directory belongs to the owner of the directory',
  asRoot,
  async (t) => {
    const [from, to] = [directories(t), directories(t)]
    const file = join(from.backups, 'copy.db')
    await prepareCompany(from.data)
    await administer(bundle, 'backup', file, '--data', from.data)

    await administer(bundle, 'restore', file, '--data', to.data)

    assertOwned(to.data, ['kontor.db', 'kontor.lock'])
    const { stop } = await launch(t, asService, ['serve', '--data', to.data, '--port', '0'], { env: to.service })
    assert.equal(await stop(), 0)
  },
)

test('The service serves files that root has restored, and stores others beside them', asRoot, async (t) => {
  const [from, to] = [directories(t), directories(t)]
  const server = await start(t, { directory: from.data })
  const { client } = await server.company('Acme')
  const { id } = await uploaded(client, 'restored')
  const file = join(from.backups, 'copy.db')
  await administer(bundle, 'backup', file, '--data', from.data)

  await administer(bundle, 'restore', file, '--data', to.data)

  const { first } = await launch(t, asService, ['serve', '--data', to.data, '--port', '0'], { env: to.service })
  const { bytes } = await download(first.url!, client, `/api-v1-files/${id}/content`)
  assert.equal(bytes.toString(), 'restored')
  await uploaded(clientFor(first.url!, { id: client.keyId, key: client.key }), 'new')
})

test('What root writes about a log into a directory of the service belongs to the service', asRoot, (t) => {
  const { data } = directories(t)

  writeState(data, { log: 'log', node: 'node', leading: null } as State)

  assertOwned(data, ['kontor.log.json'])
})
