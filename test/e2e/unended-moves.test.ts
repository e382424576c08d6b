import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCompanyFile } from '../../src/commands/company/company-file.ts'
import { importCompany } from '../../src/commands/company/import-company.ts'
import { removeCompany } from '../../src/commands/company/remove-company.ts'
import { withStore } from '../../src/commands/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { uploaded } from '../features/files/files.ts'
import { exchangeCompany } from '../store/company-files.ts'
import { assertError } from '../support/client.ts'
import { administerHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch, run } from '../support/program.ts'
import { startS3 } from '../support/s3-server.ts'
import { failing, startCell } from './cells.ts'

type Part = (store: Store) => Promise<unknown>

const nothing = async () => {}

/** Runs a part of a command on a data directory. `onWritten` is called after each of its transactions. */
function runPart(directory: string, part: Part, onWritten: () => unknown): Promise<unknown> {
  const run = (store: Store) => {
    const writeAccess = async (write: Parameters<Store['writeAccess']>[0]) => {
      const result = await store.writeAccess(write)
      await onWritten()
      return result
    }
    const workspace: Store['workspace'] = (id) => store.workspace(id)
    return part({ access: store.access, workspace, writeAccess } as Store)
  }
  return withStore(directory, run, { create: false, references: false })
}

/** Runs a part of a command until it is killed, after this number of transactions. */
async function killAfter(transactions: number, directory: string, part: Part): Promise<void> {
  const killed = Promise.withResolvers<void>()
  let left = transactions
  const kill = () => {
    if (--left > 0) return undefined
    killed.resolve()
    return new Promise(() => {})
  }
  await runPart(directory, (store) => Promise.race([killed.promise, part(store)]), kill)
  assert.equal(left, 0)
}

function importing(path: string): Part {
  return async (store) => {
    const file = await openCompanyFile(path)
    await importCompany(store, file, randomUUID(), { bring: nothing, remove: nothing })
    file.close()
  }
}

const removing =
  (id: string): Part =>
  (store) =>
    removeCompany(store, id, () => true, nothing)

const early = 'The import of this company has not ended: repeat "kontor company import", or remove what it has written'
const late = '1 kontor: The removal of this company has not ended: repeat "kontor company delete".'

test('At every moment of an import and of a removal, the database is sound, and check says which company it leaves out', async (t) => {
  const { exported, target, sender } = await exchangeCompany(t)
  const found: unknown[] = []
  const check = async () => {
    const { sound, partial } = await administerHere('check', '--files', '--data', target)
    found.push(JSON.stringify({ sound, partial }))
  }
  const partly = JSON.stringify({ sound: true, partial: [sender.company] })
  const whole = JSON.stringify({ sound: true, partial: [] })

  for (const part of [importing(exported), removing(sender.company)]) {
    await runPart(target, part, check)
    assert.equal(found.pop(), whole)
    assert.ok(found.length > 20)
    assert.deepEqual([...new Set(found.splice(0).slice(1))], [partly])
  }
})

test('A backup that was made while a company was being imported can be restored, and the import repeated', async (t) => {
  const { exported, target, sender, import: importAgain } = await exchangeCompany(t)
  const backup = join(temporaryDirectory(t), 'backup.db')
  await killAfter(22, target, importing(exported))
  await administerHere('backup', backup, '--data', target)

  await administerHere('restore', backup, '--data', target)
  await importAgain(exported)

  assert.deepEqual((await administerHere('check', '--data', target)).partial, [])
  const { companies } = await administerHere('company', 'list', '--data', target)
  assert.deepEqual(companies.find(({ id }: { id: string }) => id === sender.company).move, undefined)
})

test('An import that was killed can be removed, also after its removal was killed, and is not taken for a company that has left', async (t) => {
  const { exported, target: directory, sender, content, import: importAgain } = await exchangeCompany(t)
  const before = content().filter(([table]) => !['setting', 'change_term'].includes(table))
  const state = async () => {
    const { companies } = await administerHere('company', 'list', '--data', directory)
    return companies.find(({ id }: { id: string }) => id === sender.company)?.move.state
  }
  const file = join(temporaryDirectory(t), 'file')
  const attempts = async () => [
    await failing({ directory }, 'company', 'move', sender.company, '--cancel'),
    await failing({ directory }, 'company', 'move', sender.company, '--to', 'bb'),
    await failing({ directory }, 'company', 'export', sender.company, file),
  ]

  await killAfter(22, directory, importing(exported))
  assert.equal(await state(), 'arriving')
  for (const refused of await attempts()) assert.ok(refused.startsWith(`1 kontor: ${early}`), refused)
  await killAfter(20, directory, removing(sender.company))
  assert.equal(await state(), 'removing')
  for (const refused of await attempts()) assert.equal(refused, late)
  const whole = ['export', '--format', 'sqlite', '--company', sender.company, '--out', join(file, 'data')]
  assert.equal(await failing({ directory }, ...whole), late)
  await administerHere('company', 'delete', sender.company, '--data', directory)

  assert.deepEqual(
    content().filter(([table]) => !['setting', 'change_term'].includes(table)),
    before,
  )
  await importAgain(exported)
  assert.equal((await administerHere('check', '--data', directory)).sound, true)
})

test('After a removal was killed, the company is not served again, and responses name its new address until the removal ends', async (t) => {
  const [aa, bb] = [await startCell(t, 'aa'), await startCell(t, 'bb')]
  const { id, client } = await aa.company('Acme')
  const directory = temporaryDirectory(t)
  await aa.run('company', 'export', id, join(directory, 'there'))
  await bb.run('company', 'import', join(directory, 'there'))
  await aa.run('company', 'move', id, '--to', 'https://bb.example.com')
  await killAfter(15, aa.directory, removing(id))

  assert.equal(await failing(aa, 'company', 'move', id, '--cancel'), late)
  const moved = await client.get('/api-v1-organizations')
  assertError(moved, 421, 'COMPANY_MOVED')
  assert.equal(moved.headers.get('kontor-moved-to'), 'https://bb.example.com')
  await bb.run('company', 'export', id, join(directory, 'back'))
  await aa.run('company', 'import', join(directory, 'back'))

  assert.equal((await client.get('/api-v1-organizations')).status, 200)
  assert.equal((await aa.run('check')).sound, true)
})

test('A removal that another command has taken over writes nothing more', async (t) => {
  const { exported, target, sender, import: importAgain } = await exchangeCompany(t)
  await importAgain(exported)
  let transactions = 0
  const takeOver = async () => {
    if (++transactions !== 10) return
    await administerHere('company', 'delete', sender.company, '--data', target)
    await importAgain(exported)
  }

  await assert.rejects(runPart(target, removing(sender.company), takeOver), /Another command imports or removes/)

  assert.equal(transactions, 10)
  assert.deepEqual(await administerHere('check', '--data', target), {
    file: join(target, 'kontor.db'),
    sound: true,
    partial: [],
  })
})

test('An export fails, and leaves no file, if the company was served again meanwhile, although it has left once more', async (t) => {
  const [s3, data, directory] = [await startS3(t), temporaryDirectory(t), temporaryDirectory(t)]
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0'], { env: s3.env })
  const client = await firstClient(data, first.url!)
  await uploaded(client, 'hampers')
  const company = (await client.get('/api-v1-me')).body.data.company.id
  const kontor = (...args: string[]) => run(bundle, ['company', ...args, '--data', data], { env: s3.env })
  const [file, later] = [join(directory, 'file'), join(directory, 'later')]
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
  s3.fault = ({ method }) => {
    if (method !== 'GET') return undefined
    asked.resolve()
    s3.fault = () => undefined
    return goOn.promise
  }

  const exporting = kontor('export', company, file)
  await asked.promise
  assert.equal((await kontor('move', company, '--cancel')).code, 0)
  assert.equal((await client.post('/api-v1-organizations', { name: 'Late' })).status, 201)
  assert.equal((await kontor('export', company, later)).code, 0)
  goOn.resolve(undefined)

  const { code, stderr } = await exporting
  assert.deepEqual([code, /"kontor company move" was run during this export/.test(stderr)], [1, true], stderr)
  assert.deepEqual([existsSync(file), existsSync(later)], [false, true])
  assertError(await client.get('/api-v1-organizations'), 503, 'SERVICE_UNAVAILABLE')
})
