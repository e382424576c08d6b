import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSnapshot } from '../changes/snapshot.ts'
import { atEnd } from '../support/at-end.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { importAll, submit } from '../support/imports.ts'
import { administer, bundle, launch, run } from '../support/program.ts'
import { password, signIn, type Visitor, visit } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { at, type Cell, failing, startCell } from './cells.ts'

const path = '/api-v1-organizations'

let cells: Promise<[Cell, Cell]> | undefined

/** Two cells for the tests that leave them as they are. */
function bothCells(): Promise<[Cell, Cell]> {
  cells ??= Promise.all([startCell({ after: atEnd }, 'aa'), startCell({ after: atEnd }, 'bb')])
  return cells
}

test('No write that was acknowledged is missing after a move, and none is acknowledged after the export', async (t) => {
  const [aa, bb] = await bothCells()
  const { id, client } = await aa.company('Acme')
  const file = join(temporaryDirectory(t), 'acme.kontor')
  const acknowledged: string[] = []
  let refused = 0
  let isOver = false
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      const { status, body } = await client.post(path, { name: `${writer}.${n}` })
      if (status === 201) acknowledged.push(body.data.id)
      else {
        assertError({ status, body, headers: new Headers() }, 503, 'SERVICE_UNAVAILABLE')
        refused++
      }
    }
  })
  await until('there are 50 writes', () => acknowledged.length, { is: (count) => count > 50 })

  await administer(bundle, 'company', 'export', id, file, '--data', aa.directory) // not here, where the writers would wait
  const exported = acknowledged.length
  const before = refused
  const isRefused = (count: number) => count >= before + 20
  await until('more writes are refused', () => refused, { is: isRefused, during: Promise.all(writing) })
  isOver = true
  await Promise.all(writing)
  await bb.run('company', 'import', file)

  const { records } = await readSnapshot(at(bb.url, client))
  const ids = records.filter(({ resource }) => resource === 'organization').map(({ data }) => data.id)
  assert.deepEqual(ids.sort(), acknowledged.sort())
  assert.equal(acknowledged.length, exported)
})

test('An export that was interrupted or repeated has the same company, and an import that was killed begins again', async (t) => {
  const [aa, bb] = await bothCells()
  const { id, client } = await aa.company('Acme')
  for (let part = 0; part < 3; part++) {
    const records = Array.from({ length: 1_000 }, (_, n) => ({ first_name: `${part}.${n}` }))
    await importAll(client, 'contacts', records)
  }
  const changes = await readChanges(client)
  const directory = temporaryDirectory(t)
  const files = ['one', 'two'].map((name) => join(directory, name)) as [string, string]
  for (const file of files) await aa.run('company', 'export', id, file)
  const command = [...bundle.slice(1), 'company', 'import', files[1], '--data', bb.directory]
  const killed = spawn(bundle[0], command, { stdio: 'ignore' })
  const exited = once(killed, 'exit')
  await until('the company is in the other cell', async () => (await at(bb.url, client).get(path)).status, {
    is: (status) => status !== 401,
  })
  killed.kill('SIGKILL')
  assert.deepEqual(await exited, [null, 'SIGKILL'])

  const partly = await at(bb.url, client).get(path)
  await bb.run('company', 'import', files[0])

  assert.equal(partly.status, 503)
  assert.deepEqual(await readChanges(at(bb.url, client)), changes)
  assert.equal((await at(bb.url, client).get('/api-v1-contacts')).body.pagination.total, 3_000)
  assert.equal((await bb.run('check')).sound, true)
  assert.equal(await failing(bb, 'company', 'import', files[0]), `1 kontor: The company ${id} is here already.`)
})

test('Each step of a move can be repeated, and is refused out of turn', async (t) => {
  const [aa, bb] = await bothCells()
  const { id, client } = await aa.company('Acme')
  const directory = temporaryDirectory(t)
  const [file, second] = [join(directory, 'acme.kontor'), join(directory, 'second.kontor')]
  const early = 'This company was not exported: "kontor company export" comes first.'
  const unmoved = 'This company has not moved: "kontor company move" says where it is.'

  assert.equal(await failing(aa, 'company', 'move', id, '--to', 'bb'), `1 kontor: ${early}`)
  assert.equal(await failing(aa, 'company', 'delete', id), `1 kontor: ${unmoved}`)
  assert.match(await failing(aa, 'company', 'export', 'x', file), /^1 kontor: Company not found: x/)
  assert.ok(!existsSync(file))
  assert.equal((await client.get(path)).status, 200)

  await aa.run('company', 'export', id, file)
  assert.match(await failing(aa, 'company', 'export', id, file), /^1 kontor: .* already exists/)
  assert.equal(await failing(aa, 'company', 'delete', id), `1 kontor: ${unmoved}`)
  for (const to of [
    'b b',
    'https:\\\\bb.example',
    'https://ada@bb.example',
    'https:///bb.example',
    'https://bb.example?a',
  ]) {
    assert.match(await failing(aa, 'company', 'move', id, '--to', to), /^2 /, to)
  }
  assert.match(await failing(aa, 'company', 'move', id), /^2 /)
  assert.match(await failing(aa, 'company', 'set', id, '--name', 'Lost'), /^1 kontor: This company is being moved/)
  const create = ['key', 'create', '--company', id, '--name', 'Lost', '--scopes', 'read:all']
  assert.match(await failing(aa, ...create), /^1 kontor: This company is being moved/)

  await aa.run('company', 'move', id, '--cancel')
  assert.equal((await client.post(path, { name: 'Again' })).status, 201)
  await aa.run('company', 'export', id, second)
  await bb.run('company', 'import', second)
  for (const to of ['bb', 'https://bb.example.com', 'https://bb.example.com']) {
    await aa.run('company', 'move', id, '--to', to)
    assert.equal((await client.get(path)).headers.get('kontor-moved-to'), to)
  }
  assert.match(await failing(aa, 'company', 'export', id, join(directory, 'x')), /^1 kontor: This company has moved to/)
  assert.match(await failing(aa, ...create), /^1 kontor: This company has moved to/)
  await aa.run('company', 'delete', id)
  assert.match(await failing(aa, 'company', 'delete', id), /^1 kontor: Company not found/)
  assert.equal((await at(bb.url, client).get(path)).body.data.length, 1)

  await bb.run('company', 'export', id, join(directory, 'back'))
  await aa.run('company', 'import', join(directory, 'back'))
  assert.equal((await client.get(path)).body.data.length, 1, 'a company can move back')
})

test('A company is not exported while an import of it has not ended', async (t) => {
  const cell = await startCell(t, 'aa')
  const { id, client } = await cell.company('Acme')
  const records = Array.from({ length: 1_000 }, (_, n) => ({ first_name: `Number ${n}` }))
  for (let part = 0; part < 4; part++) await submit(client, 'contacts', records)
  await cell.process.stop('SIGKILL')

  const refused = await failing(cell, 'company', 'export', id, join(temporaryDirectory(t), 'file'))

  assert.equal(refused, '1 kontor: An import into the live data of this company has not ended: try again when it has.')
  assert.equal((await cell.run('company', 'list')).companies[0].move, undefined)
})

test('The log of a company that has moved keeps its name until a restore, and no other log gets it', async (t) => {
  const [[aa], bb] = [await bothCells(), await startCell(t, 'bb')]
  const { id, client } = await aa.company('Acme')
  const directory = temporaryDirectory(t)
  const [file, backup] = [join(directory, 'acme.kontor'), join(directory, 'backup.db')]
  const logOf = async (of: Client) => (await of.get('/api-v1-changes?after=now')).body.log_id
  const log = await logOf(client)
  await aa.run('company', 'export', id, file)
  await aa.run('company', 'move', id, '--to', 'bb')
  await aa.run('company', 'delete', id)
  await bb.run('company', 'import', file)

  assert.equal(await logOf(at(bb.url, client)), log)
  assert.notEqual(await logOf((await aa.company('Next')).client), log)
  await bb.run('backup', backup)
  await bb.process.stop()
  await bb.run('restore', backup)
  const restored = await launch(t, bundle, ['serve', '--data', bb.directory, '--port', '0'])
  assert.notEqual(await logOf(at(restored.first.url!, client)), log)
})

test('A link for a new password works in the new cell only, and there a repeated request of a user is known', async (t) => {
  const [aa, bb] = await bothCells()
  const { id } = await aa.company('Acme')
  const owner = ['--email', 'ada@acme.example', '--name', 'Ada', '--role', 'owner']
  await run(bundle, ['user', 'create', '--company', id, ...owner, '--password-stdin', '--data', aa.directory], {
    input: password,
  })
  const visitor = visit(aa.url)
  await signIn(visitor, 'ada@acme.example')
  const member = { full_name: 'Bo', email: 'bo@acme.example', role: 'member' }
  const { body } = await visitor.post('/console/users', member)
  const accept = { token: body.data.invitation, password }
  const create = (to: Visitor) => to.post(path, { name: 'Nordwind' }, { 'Idempotency-Key': 'one' })
  assert.equal((await create(visitor)).status, 201)
  const file = join(temporaryDirectory(t), 'acme.kontor')
  await aa.run('company', 'export', id, file)
  await bb.run('company', 'import', file)
  await aa.run('company', 'move', id, '--to', 'bb')

  assertError(await visit(aa.url).post('/console/invitation/accept', accept), 421, 'COMPANY_MOVED')
  assert.equal((await visit(bb.url).post('/console/invitation/accept', accept)).status, 201)
  const moved = visit(bb.url)
  await signIn(moved, 'ada@acme.example')
  assertError(await create(moved), 409, 'CONFLICT')
})

test('Only a file of an export is imported', async (t) => {
  const [cell] = await bothCells()
  const directory = temporaryDirectory(t)
  await cell.company('Acme')
  const backup = join(directory, 'backup.db')
  await cell.run('backup', backup)
  copyFileSync(process.execPath, join(directory, 'program'))

  assert.match(await failing(cell, 'company', 'import', backup), /^1 kontor: .* is not a company that /)
  assert.match(await failing(cell, 'company', 'import', join(directory, 'program')), /^1 kontor: .* is not a database/)
  assert.match(await failing(cell, 'company', 'import', join(directory, 'none')), /^1 kontor: There is no database at /)
})

test('The name of a cell is two letters or digits', async (t) => {
  const { code, stderr } = await run(bundle, ['serve', '--data', temporaryDirectory(t), '--cell', 'abc'])

  assert.deepEqual([code, stderr.trim()], [2, 'kontor: --cell must be two letters or digits; it is "abc"'])
})

test('The file of a company is no database of a server: no command uses it as one, and it stays as it was', async (t) => {
  const [aa] = await bothCells()
  const { id } = await aa.company('Acme')
  const directory = temporaryDirectory(t)
  const file = join(directory, 'acme.kontor')
  await aa.run('company', 'export', id, file)
  const data = join(directory, 'data')
  mkdirSync(data)
  copyFileSync(file, join(data, 'kontor.db'))

  const refusals = [
    await run(bundle, ['serve', '--port', '0', '--data', data]),
    await runHere(['company', 'list', '--data', data]),
    await runHere(['restore', file, '--data', data]),
  ]
  for (const { code, stderr } of refusals) {
    assert.equal(code, 1, stderr)
    assert.match(
      stderr,
      /is one company that "kontor company export" has written, not the database of a server: add it/,
    )
    assert.match(stderr, /"kontor company import"/)
  }
  assert.deepEqual(readFileSync(join(data, 'kontor.db')), readFileSync(file))
})
