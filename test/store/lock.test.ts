import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { listCompanies } from '../../src/access/company.ts'
import { schema, withStore } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'

const program = ['src/main.ts', 'serve', '--port', '0', '--data']

test('A second server on the same directory exits with one sentence, and the first one continues', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  const second = spawnSync(process.execPath, [...program, server.directory], { encoding: 'utf8' })

  assert.equal(second.status, 1)
  assert.equal(second.stdout, '')
  assert.match(second.stderr, /^kontor: A Kontor server is already running on .+: stop it first\.\n$/)
  assert.equal((await client.get('/api-v1-organizations')).status, 200)
})

test('A second server in the same process is refused', async (t) => {
  const server = await start(t)

  assert.throws(() => openForServer(server.directory, schema), { name: 'OperatorError', message: /already running/ })
})

test('A second server waits half a second for one that runs, not as long as for one that ends', async (t) => {
  const server = await start(t)
  let waitedMs = 0
  t.mock.method(Atomics, 'wait', (_cells: Int32Array, _at: number, _value: number, ms: number) => {
    waitedMs += ms
    return 'timed-out'
  })

  assert.throws(() => openForServer(server.directory, schema), { name: 'OperatorError' })

  assert.ok(waitedMs >= 500 && waitedMs < 1_000, `${waitedMs} ms`)
})

test('A command works while the server runs, and each sees the changes of the other', async (t) => {
  const server = await start(t)
  const { id } = await server.company('Acme')

  const names = await withStore(server.directory, (store) => listCompanies(store.access).map(({ name }) => name))
  await withStore(server.directory, (store) =>
    store.writeAccess((tx) => tx.run('UPDATE company SET name = ? WHERE id = ?', 'Renamed', id)),
  )

  assert.deepEqual(names, ['Acme'])
  assert.equal(server.store.access.value('SELECT name FROM company WHERE id = ?', id), 'Renamed')
})

test('After a server has stopped, another one can use the directory', async (t) => {
  const directory = temporaryDirectory(t)
  const first = await start(t, { directory })
  await first.stop()

  const second = await start(t, { directory })

  assert.equal((await fetch(`${second.url}/readyz`)).status, 200)
})

test('At once after a server was killed, another one can use the directory, although the process has not ended yet', async (t) => {
  const directory = temporaryDirectory(t)
  const killed = spawn(process.execPath, [...program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its memory has to be freed before its lock ends.
    env: { ...process.env, NODE_OPTIONS: `--import ${new URL('../faults/much-memory.ts', import.meta.url)}` },
  })
  const exited = once(killed, 'exit')
  const [line] = await once(killed.stdout, 'data')

  killed.kill('SIGKILL')
  const next = await start(t, { directory })
  await exited

  assert.match(String(line), /"msg":"listening"/)
  assert.equal((await fetch(`${next.url}/readyz`)).status, 200)
})
