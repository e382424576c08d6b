import assert from 'node:assert/strict'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { chromiumPath, withoutBrowser } from '../support/browser.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { run } from '../support/program.ts'
import { npm, release } from './release.ts'

// Installs the npm package as a user would, and runs the test suites in examples/ with it. It needs access to the registry of npm.

const root = new URL('../../', import.meta.url).pathname
const project = temporaryDirectory({ after } as Pick<TestContext, 'after'>)

before(async () => {
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const { code, stderr } = await npm(['install', await release(join(project, 'release'))], project)
  assert.equal(code, 0, stderr)
  cpSync(join(root, 'examples'), join(project, 'examples'), { recursive: true })
})

/** Runs a program in a directory of the project. Returns its output. */
async function succeed(directory: string, [program, ...args]: [string, ...string[]], env: NodeJS.ProcessEnv = {}) {
  const cwd = join(project, directory)
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  const own = { PATH: path, NODE_TEST_CONTEXT: undefined } // what this runner tells its children is not for theirs
  const { code, stdout, stderr } = await run([program], args, { cwd, env: { ...own, ...env } })
  assert.equal(code, 0, stdout + stderr)
  return stripVTControlCharacters(stdout)
}

/** The value for a test's `skip`: false, or the reason why the test cannot run. */
async function without(program: string, ...args: string[]): Promise<string | false> {
  const { code } = await run([program], args)
  return code === 0 ? false : `${program} ${args.join(' ')} is not installed`
}

test('The suite of node:test passes', async () => {
  assert.match(await succeed('examples/node-test', ['npm', 'test']), /^ℹ pass 3$/m)
})

test('The suite of vitest passes, with one sandbox for its workers', async () => {
  await succeed('examples/vitest', ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'])

  assert.match(await succeed('examples/vitest', ['npm', 'test']), /Tests +3 passed/)
})

test('The suite of Playwright passes, with a fork for each test', { skip: withoutBrowser }, async () => {
  await succeed('examples/playwright', ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'])

  const output = await succeed('examples/playwright', ['npm', 'test'], { CHROMIUM_PATH: chromiumPath })
  assert.match(output, /\b2 passed/)
})

test('The suite of pytest passes', { skip: await without('python3', '-m', 'pytest', '--version') }, async () => {
  assert.match(await succeed('examples/pytest', ['python3', '-m', 'pytest']), /\b1 passed/)
})

test('The suite of Go passes', { skip: await without('go', 'version') }, async () => {
  assert.match(await succeed('examples/go', ['go', 'test', '-count=1', './...']), /^ok\s/m)
})

test('The types of kontor/test are complete and strict, in ES modules and in CommonJS', async () => {
  const program = `import { connectSandbox, type Fault, type Sandbox, SandboxError, startSandbox } from 'kontor/test'
    const faults: Fault[] = [{ match: { method: 'POST' }, do: { status: 503, retry_after: 1 }, times: 2 }]
    export async function use(): Promise<unknown> {
      await using sandbox: Sandbox = await startSandbox({ seed: 'demo', now: new Date(), key: process.env['KEY'] })
      await using fork = await connectSandbox(sandbox).fork({ clock: { mode: 'frozen' } })
      await fork.faults.set(faults)
      // @ts-expect-error: there is no such mode
      await fork.clock.set({ mode: 'slow' })
      // @ts-expect-error: a fault does something
      await fork.faults.set([{ do: { reset: false } }])
      const { status }: Response = await fork.fetch('/', { json: {}, headers: { accept: '*/*' } })
      const { ran } = await fork.clock.advance({ to: new Date() })
      const [delivery] = await fork.inbox.list({ wait: 1 })
      return [status, ran.deliveries, delivery?.body.data, new SandboxError(404, 'NOT_FOUND', '').code]
    }`
  for (const name of ['types.mts', 'types.cts']) writeFileSync(join(project, name), program)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
  const files = ['--ignoreConfig', '--noEmit', '--module', 'nodenext', '--target', 'es2022', 'types.mts', 'types.cts']

  assert.ok(existsSync(join(project, 'node_modules/kontor/types/client/types.d.ts')))
  await succeed('.', ['node', compiler, ...strict, ...types, ...files])
})
