import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../../support/directory.ts'
import { start } from '../../support/start.ts'
import { download, storedIn, uploaded } from './files.ts'

const run = promisify(execFile)
const kontor = (...args: string[]) => run(process.execPath, ['dist/kontor.cjs', ...args])

test('A company moves to another installation with the content of its files', async (t) => {
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
})
