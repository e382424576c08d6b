import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { run } from '../support/program.ts'

const claimLoop = new URL('claim-loop.ts', import.meta.url).pathname

test('A file is written by one process at a time, also if others begin in the moment in which it ends', async (t) => {
  const path = join(temporaryDirectory(t), 'backup.db')

  const processes = Array.from({ length: 4 }, () => run([process.execPath, claimLoop], [path, '300']))

  for (const { stdout, stderr } of await Promise.all(processes)) assert.deepEqual([stdout, stderr], ['0\n', ''])
})
