import assert from 'node:assert/strict'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, run } from '../support/program.ts'

/** Creates a directory with a database whose log is empty. */
async function written(t: TestContext): Promise<{ data: string; file: string }> {
  const data = temporaryDirectory(t)
  await firstClient(data, '')
  return { data, file: join(data, 'kontor.db') }
}

const damages: Record<string, (file: string) => void> = {
  'a page in the middle is overwritten': (file) => overwrite(file, 4096 * 20, 4096),
  'the first page is overwritten after the header': (file) => overwrite(file, 100, 3000),
  'the end is missing': (file) => truncateSync(file, 4096 * 30),
}

for (const [name, damage] of Object.entries(damages)) {
  test(`A start rejects a database with the message to restore a backup if ${name}`, async (t) => {
    const { data, file } = await written(t)
    damage(file)

    const { code, stdout, stderr } = await run(bundle, ['serve', '--data', data, '--port', '0'])

    assert.deepEqual([code, stdout], [1, ''])
    assert.equal(stderr, `kontor: ${file} is damaged: restore a backup with "kontor restore", which keeps this file.\n`)
  })
}

test('A start rejects a database without its header with the message to restore a backup', async (t) => {
  const { data, file } = await written(t)
  overwrite(file, 0, 100)

  const { code, stderr } = await run(bundle, ['serve', '--data', data, '--port', '0'])

  const remedy = 'restore a backup with "kontor restore", which keeps this file'
  assert.deepEqual([code, stderr], [1, `kontor: ${file} is not a database: ${remedy}.\n`])
})

test('Check and restore say of a backup that it is damaged, and to use another one', async (t) => {
  const { data } = await written(t)
  const backup = join(temporaryDirectory(t), 'backup.db')
  await run(bundle, ['backup', backup, '--data', data])
  overwrite(backup, 4096 * 20, 4096)

  const checked = await run(bundle, ['check', backup])
  const restored = await run(bundle, ['restore', backup, '--data', data])

  for (const { code, stderr } of [checked, restored]) {
    assert.equal(code, 1)
    assert.match(stderr, /^kontor: \/.*backup\.db is damaged(?: \([^\n]+\))?: use another backup\.\n/)
  }
})

test('Restore makes no directory for a file that is no backup, and check and backup say what makes one', async (t) => {
  const parent = temporaryDirectory(t)
  const [data, text] = [join(parent, 'data'), join(parent, 'backup.db')]
  writeFileSync(text, 'Dear diary, '.repeat(1_000))
  const missing = join(parent, 'none.db')

  const messages = []
  for (const args of [['restore', text], ['restore', missing], ['check'], ['backup', missing]]) {
    const { code, stderr } = await run(bundle, [...args, '--data', data])
    assert.equal(code, 1)
    messages.push(stderr)
  }

  const makers = '"kontor serve", "kontor company create" and "kontor restore" create one'
  assert.deepEqual(messages, [
    `kontor: ${text} is not a database.\n`,
    `kontor: There is no database at ${missing}.\n`,
    `kontor: There is no data directory at ${data}: ${makers}.\n`,
    `kontor: There is no data directory at ${data}: ${makers}.\n`,
  ])
  assert.deepEqual(readdirSync(parent), ['backup.db'])
})

function overwrite(file: string, at: number, length: number): void {
  const bytes = readFileSync(file)
  bytes.fill('garbage', at, at + length)
  writeFileSync(file, bytes)
}
