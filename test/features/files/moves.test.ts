import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { afterFailure } from '../../../src/commands/after-failure.ts'
import { assertError } from '../../support/client.ts'
import { administerHere } from '../../support/command.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { start } from '../../support/start.ts'
import { download, storedIn, uploaded } from './files.ts'

const run = promisify(execFile)
const kontor = (...args: string[]) => run(process.execPath, ['dist/kontor.cjs', ...args])

test('A company moves to another installation with the content of its files, and leaves none of it behind', async (t) => {
  const server = await start(t)
  await server.company('Other')
  const { id: company, client } = await server.company('Acme')
  const { id } = await uploaded(client, 'moved')
  const file = join(temporaryDirectory(t), 'acme.db')
  await kontor('company', 'export', company, file, '--data', server.directory)

  const target = await start(t)
  await kontor('company', 'import', file, '--data', target.directory)

  assert.equal((await download(target.url, client, `/api-v1-files/${id}/content`)).bytes.toString(), 'moved')
  assert.equal(storedIn(target.directory).length, 1)
  for (const done of [['move', company, '--to', 'bb'] as const, ['delete', company] as const]) {
    await administerHere('company', ...done, '--data', server.directory)
  }
  assert.deepEqual(storedIn(server.directory), [])
})

test('A company whose export is refused because content is missing is served, unless another export has its file; --without-files moves it', async (t) => {
  const server = await start(t)
  const { id: company, client } = await server.company('Acme')
  const { id } = await uploaded(client, 'lost')
  const kept = await uploaded(client, 'kept')
  const directory = temporaryDirectory(t)
  const [file, second] = [join(directory, 'acme.db'), join(temporaryDirectory(t), 'second.db')]
  const data = ['--data', server.directory]
  const pathOf = `/api-v1-files/${id}`
  const { sha256 } = (await client.get(pathOf)).body.data
  rmSync(join(server.directory, 'files', storedIn(server.directory).find((each) => each.endsWith(sha256))!))

  const refused = await kontor('company', 'export', company, file, ...data).catch((error) => error)
  assert.match(refused.stderr, /is missing.*--without-files/)
  assert.ok(!existsSync(file))
  assert.equal((await client.patch(pathOf, { name: 'still.txt' })).status, 200)
  const copied = ['export', '--company', company, '--format', 'sqlite', '--out', join(directory, 'copy')]
  await assert.rejects(kontor(...copied, ...data), /is missing.*--without-files/)
  await kontor(...copied, '--without-files', ...data)

  await kontor('company', 'export', company, file, '--without-files', ...data)
  await assert.rejects(kontor('company', 'export', company, second, ...data), /is missing/)
  assertError(await client.get(pathOf), 503, 'SERVICE_UNAVAILABLE')
  const target = await start(t)
  await assert.rejects(kontor('company', 'import', file, '--data', target.directory), /is missing.*--without-files/)
  await kontor('company', 'import', file, '--without-files', '--data', target.directory)

  const bytes = async (each: string) => (await download(target.url, client, `/api-v1-files/${each}/content`)).bytes
  assert.equal((await bytes(kept.id)).toString(), 'kept')
  assert.equal(storedIn(target.directory).length, 1)
})

test('A command that fails reports that, and then that what it had done was not taken back', async (t) => {
  const written = t.mock.method(process.stderr, 'write', () => true)
  const failing = afterFailure(new Error('first'), 'The company is not served', () =>
    Promise.reject(new Error('second')),
  )

  await assert.rejects(failing, /^Error: first$/)

  assert.deepEqual(written.mock.calls[0]!.arguments, ['kontor: The company is not served: second\n'])
})
