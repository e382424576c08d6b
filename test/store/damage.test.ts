import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
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

function overwrite(file: string, at: number, length: number): void {
  const bytes = readFileSync(file)
  bytes.fill('garbage', at, at + length)
  writeFileSync(file, bytes)
}
