import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { uploaded } from '../features/files/files.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { prepareCompany } from '../support/prepare.ts'
import { administer, bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'

/** A backup in a directory of its own. */
async function backUp(t: TestContext): Promise<{ directory: string; data: string; file: string }> {
  const directory = temporaryDirectory(t)
  const data = join(directory, 'data')
  await prepareCompany(data)
  const file = join(directory, 'copy.db')
  await administer(bundle, 'backup', file, '--data', data)
  return { directory, data, file }
}

async function assertRefused(args: string[], message: string): Promise<void> {
  const { code, stdout, stderr } = await run(bundle, args)
  assert.deepEqual([code, stdout, stderr], [1, '', `kontor: ${message}\n`])
}

test('A pipe or a directory in the place of a backup’s log is refused with its name, and no command waits for it', async (t) => {
  const { directory, data, file } = await backUp(t)
  mkdirSync(`${file}-wal`)
  await assertRefused(['restore', file, '--data', data], `${file}-wal is not a file.`)

  const other = join(directory, 'other.db')
  await administer(bundle, 'backup', other, '--data', data)
  execFileSync('mkfifo', [`${other}-journal`])
  for (const args of [
    ['restore', other, '--data', data],
    ['check', other],
    ['company', 'import', other, '--data', data],
  ])
    await assertRefused(args, `${other}-journal is not a file.`)
})

test('A backup whose content cannot be read is refused with the name of what the system cannot read', async (t) => {
  const server = await start(t)
  await uploaded(await server.client(), 'Hello')
  const directory = temporaryDirectory(t)
  const [file, files] = [join(directory, 'copy.db'), join(directory, 'files')]
  await administerHere('backup', file, '--data', server.directory)
  rmSync(files, { recursive: true })
  writeFileSync(files, '')

  const { code, stderr } = await runHere(['restore', file, '--data', join(directory, 'data')])

  assert.equal(code, 1)
  assert.ok(stderr.startsWith(`kontor: The content cannot be read. Cannot find ${files}/`), stderr)
  assert.ok(stderr.endsWith(': not a directory.\n'), stderr)
})
