import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { afterFailure } from '../../../src/commands/after-failure.ts'
import { contentsSetting } from '../../../src/commands/contents.ts'
import { contentSettings } from '../../../src/config/content-settings.ts'
import { readConfig } from '../../../src/config.ts'
import { openContents } from '../../../src/content/open.ts'
import { assertError } from '../../support/client.ts'
import { administerHere } from '../../support/command.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { startS3 } from '../../support/s3-server.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
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

test('A company is exported although a file is erased while content is copied', async (t) => {
  const [s3, directory] = [await startS3(t), temporaryDirectory(t)]
  const contents = openContents(contentsSetting(readConfig(contentSettings, {}, s3.env), join(directory, 'kontor.db')))
  const { id: company, client } = await (await start(t, { directory, contents })).company('Acme')
  const files = [await uploaded(client, 'one'), await uploaded(client, 'two')]
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>()
  s3.fault = ({ method }) => (method === 'GET' ? answered : undefined)
  const out = temporaryDirectory(t)
  const args = ['export', '--company', company, '--format', 'sqlite', '--out', out, '--data', directory]
  const exporting = run(process.execPath, ['dist/kontor.cjs', ...args], { env: { ...process.env, ...s3.env } })

  const copied = () => s3.asked.find(({ method }) => method === 'GET')?.key
  const key = await Promise.race([until('content is being copied', copied), exporting.then(() => '')])
  const { id } = files.find(({ sha256 }) => !String(key).endsWith(sha256))!
  for (const path of ['files', 'trash']) await client.delete(`/api-v1-${path}/${id}`)
  answer(undefined)

  await exporting
  assert.equal(storedIn(out).length, 1)
})
