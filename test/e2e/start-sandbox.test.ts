import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { startProgram } from '../../src/client/start.ts'
import { lifeOf } from '../../src/sandbox/parent.ts'
import { sandboxKey } from '../sandbox/sandbox.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { endless } from '../support/fault-times.ts'
import { totalOf } from '../support/imports.ts'
import { bundle, run } from '../support/program.ts'
import { until } from '../support/wait.ts'

// How `startSandbox` of kontor/test starts and ends its process. What it controls: test/sandbox/client.test.ts.

const root = new URL('../../', import.meta.url).pathname
const [, program = ''] = bundle

/** A module that starts a sandbox with a fork and prints a line of JSON about them, and then the code. */
function tester(code: string): string[] {
  const source = `import { startProgram } from '${root}src/client/start.ts'
    const sandbox = await startProgram('${program}')
    const fork = await sandbox.fork()
    console.log(JSON.stringify({ url: sandbox.url, key: fork.key }))
    ${code}`
  return ['--input-type=module', '-e', source]
}

/** The processes that a process has started and that have not ended. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** A program that takes the place of Kontor. */
function programOf(t: TestContext, source: string): string {
  const path = join(temporaryDirectory(t), 'kontor.cjs')
  writeFileSync(path, source)
  return path
}

test('A sandbox with a fork ends with its test process, also if that is killed', async (t) => {
  const child = spawn(process.execPath, tester(endless), { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, key } = JSON.parse(line)
  const [pid = 0] = childrenOf(child.pid!)
  assert.equal((await fetch(`${url}/api-v1-me`, { headers: { Authorization: `Bearer ${key}` } })).status, 200)
  assert.ok(lifeOf(pid))

  child.kill('SIGKILL')

  await until('the program has ended', () => lifeOf(pid) === undefined)
})

test('A sandbox that nobody closes does not keep its test process running', async () => {
  const { code, stdout, stderr } = await run([process.execPath], tester(''))

  assert.equal(code, 0, stderr)
  const { url } = JSON.parse(stdout)
  await until('the server is gone', () =>
    fetch(`${url}/readyz`).then(
      () => false,
      () => true,
    ),
  )
})

test('A test process waits for the end of a sandbox that it closes, which is when its port is free', async () => {
  const { code, stdout, stderr } = await run(
    [process.execPath],
    tester(`const port = Number(new URL(sandbox.url).port)
      await Promise.all([sandbox.close(), sandbox.close()])
      await sandbox.close()
      const next = await startProgram('${program}', { port })
      console.log(JSON.stringify(next.url))
      await next[Symbol.asyncDispose]()`),
  )

  assert.equal(code, 0, stderr)
  const [first, next] = stdout.trim().split('\n')
  assert.equal(JSON.parse(first!).url, JSON.parse(next!))
})

test('The options of the start become those of the program', async () => {
  const now = new Date('2026-01-05T09:00:00Z')
  const args = ['--body-bytes-max', '2000']

  await using sandbox = await startProgram(program, { seed: 'demo', now, key: sandboxKey, args })

  assert.equal(sandbox.key, sandboxKey)
  assert.match((await sandbox.clock.get()).now, /^2026-01-05T09:00:/)
  assert.equal(await totalOf(clientFor(sandbox.url, { id: '', key: sandboxKey }), 'organizations'), 40)
  const large = await sandbox.fetch('/api-v1-organizations', { json: { name: 'x'.repeat(3_000) } })
  assert.equal(large.status, 413)
})

test('A sandbox takes no settings of Kontor or Node.js from the environment of its test process', async () => {
  const settings = { KONTOR_SANDBOX_KEY: sandboxKey, KONTOR_PUBLIC_URL: 'no', NODE_OPTIONS: '--require ./missing.cjs' }
  const source = `import { startProgram } from '${root}src/client/start.ts'
    Object.assign(process.env, ${JSON.stringify(settings)})
    const { key } = await startProgram('${program}')
    console.log(key === '${sandboxKey}')`

  const { stdout, stderr } = await run([process.execPath], ['--input-type=module', '-e', source])

  assert.equal(stdout, 'false\n', stderr)
})

test('A sandbox that ends before it is ready says why', async () => {
  await assert.rejects(startProgram(program, { key: 'svc_test_x' }), {
    message:
      'kontor sandbox ended before it was ready (code 2)\nkontor: --key must be svc_test_ and 32 letters and digits',
  })
  await assert.rejects(startProgram(program, { seed: 'missing.json' }), /Cannot read the seed file missing\.json/)
  await assert.rejects(startProgram(program, { seed: { contacts: [] } as unknown as string }), {
    message: 'seed must be empty, demo or the path of a seed file',
  })
  await assert.rejects(startProgram(program, { sed: 'demo' } as object), {
    message: 'There is no option sed; allowed: seed, now, key, port, args, timeoutMs',
  })
})

test('A sandbox that takes too long to start is ended', async (t) => {
  const silent = programOf(t, `process.stderr.write(String(process.pid)); ${endless}`)

  const error = await startProgram(silent, { timeoutMs: 3_000 }).catch((reason: Error) => reason)

  const [, pid] = /^kontor sandbox was not ready within 3000 ms\n(\d+)$/.exec((error as Error).message)!
  assert.equal(lifeOf(Number(pid)), undefined)
})

test('A sandbox that prints much does not wait for its reader', async (t) => {
  const talkative = programOf(
    t,
    `process.stdout.write(JSON.stringify({ url: 'http://127.0.0.1:1', key: '' }) + '\\n' + 'x'.repeat(5e6), () => {
      process.stderr.write('x'.repeat(5e6), () => require('node:fs').writeFileSync(__filename + '.done', ''))
    })
    ${endless}`,
  )

  await using _sandbox = await startProgram(talkative)

  await until('the program has written its file', () => existsSync(`${talkative}.done`))
})

test('A start may take any time', async (t) => {
  const program = programOf(t, `process.stdout.write('{"url":"http://127.0.0.1:1","key":""}\\n'); ${endless}`)

  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31])
    await (await startProgram(program, { timeoutMs })).close()
})
