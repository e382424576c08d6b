import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('A stress run ends although the programs beside it never would', { timeout: 30_000 }, async (t) => {
  const hogs = JSON.stringify(new URL('../runner/hogs.ts', import.meta.url))
  const code = `import { startHogs } from ${hogs}; startHogs(); console.log('done')`

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    signal: t.signal,
  })

  assert.equal(stdout, 'done\n')
})
