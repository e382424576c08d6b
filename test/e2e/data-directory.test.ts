import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { administer, bundle, launch, run } from '../support/program.ts'

const administering: string[][] = [
  ['company', 'list'],
  ['company', 'set', 'x', '--name', 'Acme'],
  ['user', 'list', '--company', 'x'],
  ['key', 'list', '--company', 'x'],
  ['key', 'revoke', 'x'],
  ['plan', 'list'],
  ['plan', 'set', 'free', '--max-deals', '1'],
  ['backup', 'copy.db'],
  ['check'],
]

/** Starts a server, and returns the names of the organizations that it has. */
async function namesAfterStart(t: TestContext, data: string, { keyId, key }: Client): Promise<string[]> {
  const { first } = await launch(t, bundle, ['serve', '--port', '0', '--data', data])
  const { body } = await clientFor(first.url!, { id: keyId, key }).get('/api-v1-organizations')
  return body.data.map(({ name }: { name: string }) => name)
}

test('Only serve, company create and restore create a data directory; other commands reject a missing one', async (t) => {
  const directory = temporaryDirectory(t)
  const [missing, empty] = [join(directory, 'missing'), join(directory, 'empty')]
  mkdirSync(empty)

  for (const args of administering) {
    for (const data of [missing, empty]) {
      const { code, stdout, stderr } = await run(bundle, [...args, '--data', data], { cwd: directory })
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /^kontor: There is no (data directory|database) .*\n$/)
    }
  }
  assert.ok(!existsSync(missing))
  assert.deepEqual(readdirSync(empty), [])
  await administer(bundle, 'company', 'create', '--name', 'Acme', '--data', missing)
})

test('A data directory that the system does not allow to be created is reported at once', {
  skip: !existsSync('/proc/self'),
}, async () => {
  for (const args of [['company', 'create', '--name', 'Acme'], ['serve']]) {
    const { code, stderr } = await run(bundle, [...args, '--data', '/proc/kontor/data'])
    assert.equal(code, 1)
    assert.match(stderr, /^kontor: Cannot create the data directory \/proc\/kontor\/data: .*\n$/)
  }
})

const putBack =
  /kontor\.db(-wal)? was (moved, replaced or removed|emptied).*put kontor\.db and kontor\.db-wal back.*kontor restore|log on disk differs from what was committed/
const startAgain = /kontor\.(db-shm|lock) was moved, replaced or removed; start the server again/

/** What may happen to the files of a server that runs. */
const takings = {
  'replaced by a backup': (data: string) => {
    renameSync(join(data, 'kontor.db'), join(data, 'former.db'))
    copyFileSync(join(data, '../backup.db'), join(data, 'kontor.db'))
  },
  'removed with its directory': (data: string) => rmSync(data, { recursive: true }),
  'left without its log': (data: string) => renameSync(join(data, 'kontor.db-wal'), join(data, 'former-wal')),
  'left with an empty log': (data: string) => truncateSync(join(data, 'kontor.db-wal')),
  'left without its index': (data: string) => rmSync(join(data, 'kontor.db-shm')),
  'left without its lock': (data: string) => rmSync(join(data, 'kontor.lock')),
}

for (const [how, take] of Object.entries(takings)) {
  test(`A server whose database was ${how} acknowledges no write, and exits with the remedy`, async (t) => {
    const data = join(temporaryDirectory(t), 'data')
    const server = await launch(t, bundle, ['serve', '--port', '0', '--data', data])
    const client = await firstClient(data, server.first.url!)
    await make(client, 'organization', { name: 'Before' })
    await run(bundle, ['backup', join(data, '../backup.db'), '--data', data])
    let output = ''
    server.child.stdout!.on('data', (chunk) => {
      output += chunk
    })
    const ended = once(server.child, 'close')

    take(data)
    const statuses: number[] = []
    for (;;) {
      const response = await client.post('/api-v1-organizations', { name: 'After' }).catch(() => undefined)
      if (!response) break
      statuses.push(response.status) // 503 if what the request reads is gone, too
    }

    assert.ok(!statuses.includes(201))
    assert.equal((await ended)[0], 1)
    assert.match(output, /index|lock/.test(how) ? startAgain : putBack)
  })
}

test('While kontor.db is gone and its log is there, nothing makes another database, and no write is lost once it is back', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const [database, away] = [join(data, 'kontor.db'), join(data, '../away.db')]
  const server = await launch(t, bundle, ['serve', '--port', '0', '--data', data])
  const client = await firstClient(data, server.first.url!)
  await make(client, 'organization', { name: 'Acknowledged' })
  await server.stop('SIGKILL')
  renameSync(database, away)

  const makers = [
    ['serve', '--port', '0'],
    ['serve', '--port', '0', '--init'],
    ['company', 'create', '--name', 'Other'],
    ['check'],
  ]
  for (const args of makers) {
    const { code, stderr } = await run(bundle, [...args, '--data', data])
    assert.equal(code, 1, args.join(' '))
    assert.match(
      stderr,
      /^kontor: .*kontor\.db is missing, but its log .*-wal is there: put it back.*kontor restore.*\n$/,
    )
  }

  renameSync(away, database)
  assert.deepEqual(await namesAfterStart(t, data, client), ['Acknowledged'])
})

test('A request that opens the database after it was moved away makes no other one, which would remove the log', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const [database, away] = [join(data, 'kontor.db'), join(data, '../away.db')]
  const server = await launch(t, bundle, ['serve', '--port', '0', '--data', data])
  const client = await firstClient(data, server.first.url!)
  await make(client, 'organization', { name: 'Acknowledged' })
  renameSync(database, away)

  await client.get('/api-v1-snapshot').catch(() => {})

  await server.stop('SIGKILL')
  assert.ok(!existsSync(database))
  renameSync(away, database)
  assert.deepEqual(await namesAfterStart(t, data, client), ['Acknowledged'])
})

test('A server refuses a kontor.db that is a link, since its log is beside the file', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  await firstClient(data, '')
  renameSync(join(data, 'kontor.db'), join(data, 'other.db'))
  symlinkSync('other.db', join(data, 'kontor.db'))

  const { code, stderr } = await run(bundle, ['serve', '--port', '0', '--data', data])

  assert.equal(code, 1)
  assert.match(stderr, /^kontor: .*kontor\.db is a link: link to the whole directory instead, .*\n$/)
})
