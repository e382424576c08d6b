import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { followParent } from '../../src/sandbox/parent.ts'
import { until } from '../support/wait.ts'

test('A sandbox also ends if the process with which it ends has ended before the sandbox was ready', async () => {
  const parent = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(parent, 'exit')
  let ends = 0

  followParent(parent.pid!, () => ends++)

  await until('the end is noticed', () => ends, { is: (count) => count === 1 })
})
