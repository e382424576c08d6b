import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeExecutable } from '../../src/packaging/write-program.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { run } from '../support/program.ts'

test('A build replaces an executable that runs, and leaves nothing else behind', async (t) => {
  const directory = temporaryDirectory(t)
  const path = join(directory, 'kontor')
  copyFileSync(process.execPath, path)
  const running = spawn(path, ['--eval', 'process.stdin.resume()'])
  t.after(() => running.kill())
  await once(running, 'spawn')

  writeExecutable({ start: '', main: 'console.log("new")', packed: [], licenses: '', packages: [] }, path)

  assert.equal((await run([path], [])).stdout, 'new\n')
  assert.deepEqual(readdirSync(directory), ['kontor'])
})
