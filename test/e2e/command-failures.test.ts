import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Argument, Option } from 'commander'
import { failureOf } from '../../src/commands/failure.ts'
import { type Leaf, leavesOf, loadCommands } from '../guard/commands.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { prepareCompany } from '../support/prepare.ts'
import { bundle, type Command, run } from '../support/program.ts'
import { start } from '../support/start.ts'

const leaves = leavesOf((await loadCommands()).values())
/** Commands that run until they are stopped: they are started as a program. */
const running = ['serve', 'sandbox']

/** Values with which each command gets as far as the path that is wrong. */
interface Place {
  directory: string
  values: Record<string, string>
}

async function prepare(t: TestContext): Promise<Place> {
  const directory = temporaryDirectory(t)
  const [data, rows] = [join(directory, 'data'), join(directory, 'rows.csv')]
  const company = await prepareCompany(data)
  const server = await start(t)
  const { key } = await server.client()
  writeFileSync(rows, 'first_name\nAda\n')
  const values = { data, company, id: company, url: server.url, key, file: rows, to: 'bb', port: '0' }
  return {
    directory,
    values: { ...values, scopes: 'read:all', email: 'ada@acme.example', format: 'csv', name: 'free' },
  }
}

/** Paths at which no command can work, by what is wrong with them. */
function wrongPaths(directory: string): string[] {
  const at = (name: string) => join(directory, name)
  writeFileSync(at('garbage'), 'garbage '.repeat(2_000))
  mkdirSync(at('folder/kontor.db'), { recursive: true })
  return [
    at('none'),
    at('none/below'),
    at('garbage'),
    at('garbage/below'),
    at('folder'),
    at('x'.repeat(300)),
    '/dev/zero',
  ]
}

type Parameter = Pick<Argument | Option, 'required' | 'description'> & { name: () => string }

/** Whether a parameter is a path, by how the help calls it. */
const isPath = (shown: string) => /<(?:file|path|dir|what)>/.test(shown)

/** The words of a call: everything that the command requires, and `path` for one parameter. */
function wordsOf(
  { words, command }: Leaf,
  values: Record<string, string>,
  path?: [name: string, value: string],
): string[] {
  const valueFor = (name: string) => (path?.[0] === name ? path[1] : (values[name] ?? 'x'))
  const given = command.registeredArguments.filter(({ required }) => required).map((each) => valueFor(each.name()))
  const wanted = ['data', 'url', 'key', path?.[0]]
  const options = command.options.filter((each) => each.mandatory || wanted.includes(each.attributeName()))
  return [...words.slice(1), ...given, ...options.flatMap((each) => [each.long!, valueFor(each.attributeName())])]
}

/** The names of a command's parameters that are paths. */
function pathsOf({ command }: Leaf): string[] {
  const named = (each: Parameter, shown: string) => (isPath(shown) ? [each.name()] : [])
  return [
    ...command.registeredArguments.flatMap((each) => named(each, `<${each.name()}>`)),
    ...command.options.flatMap((each) => (isPath(each.flags) ? [each.attributeName()] : [])),
  ]
}

/** Runs a command in this process. Returns its failure; undefined if it has succeeded. */
async function failing({ words }: Leaf, args: string[]) {
  const command = (await loadCommands()).get(words[0]!)!
  try {
    for (const each of [command, ...leavesOf([command]).map((leaf) => leaf.command)]) {
      each.configureOutput({ writeErr: () => {} })
    }
    await command.parseAsync(args, { from: 'user' })
    return undefined
  } catch (error) {
    return failureOf(error)
  } finally {
    process.exitCode = undefined
  }
}

function assertSentence(message: string, call: string): void {
  assert.notEqual(message, '', call)
  assert.doesNotMatch(message, /\n|^\s+at |unexpected error/i, call)
}

test('Each command answers a path that cannot be used with one sentence, and no stack trace', async (t) => {
  const { directory, values } = await prepare(t)
  const paths = wrongPaths(directory)
  let failures = 0
  for (const leaf of leaves.filter(({ words }) => !running.includes(words[0]!))) {
    for (const name of pathsOf(leaf)) {
      for (const path of paths) {
        const args = wordsOf(leaf, values, [name, path])
        const failure = await failing(leaf, args)
        if (!failure) continue
        failures++
        const call = `kontor ${leaf.words[0]} ${args.join(' ')}: ${failure.message}`
        assert.ok([1, 2].includes(failure.code), call)
        assertSentence(failure.message!, call)
      }
    }
  }
  assert.ok(failures > 100, String(failures))
})

for (const leaf of leaves.filter(({ words }) => running.includes(words[0]!))) {
  test(`kontor ${leaf.words.join(' ')} answers a path that cannot be used with one sentence, or starts`, async (t) => {
    const { directory, values } = await prepare(t)
    for (const name of pathsOf(leaf)) {
      for (const path of [join(directory, 'rows.csv'), join(directory, 'none/below'), '/dev/null']) {
        const args = [...wordsOf(leaf, { ...values, data: join(directory, 'other') }, [name, path]), '--port', '0']
        const { code, stderr } = await startProgram([...leaf.words.slice(0, 1), ...args])
        if (code === undefined) continue
        assert.ok([1, 2].includes(code), `${args.join(' ')}: ${code} ${stderr}`)
        assertSentence(stderr.trim().replace('kontor: ', ''), args.join(' '))
      }
    }
  })
}

/** Starts a server. Resolves when it has ended, or, without a code, when it is ready; it is stopped then. */
async function startProgram(args: string[]): Promise<{ code: number | undefined; stderr: string }> {
  const child = spawn(bundle[0], [...bundle.slice(1), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (part) => (stderr += part))
  const closed = once(child, 'close')
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), closed.then(() => false)])
  if (ready) child.kill('SIGKILL')
  const [code] = await closed
  return { code: ready ? undefined : code, stderr }
}

test('Each command answers wrong usage with code 2', async (t) => {
  const { values } = await prepare(t)
  for (const leaf of leaves) {
    const args = wordsOf(leaf, values)
    for (const wrong of [
      [...args, '--no-such-option'],
      [...args, 'one', 'too', 'many', 'arguments'],
    ]) {
      if (wrong.length > args.length + 1 && leaf.command.registeredArguments.some(({ variadic }) => variadic)) continue
      const failure = await failing(leaf, wrong)
      assert.equal(failure?.code, 2, `kontor ${leaf.words[0]} ${wrong.join(' ')}`)
    }
  }
})

test('A failed command prints one line on standard error, also with --json, and its stack with NODE_DEBUG only', async (t) => {
  const { directory, values } = await prepare(t)
  const out = join(directory, 'rows.csv')
  const args = ['export', '--company', values.company!, '--out', out, '--data', values.data!]

  const plain = await run(bundle, args)
  const json = await run(bundle, [...args, '--json'])
  const debugged = await run(bundle, args, { env: { NODE_DEBUG: 'kontor' } })

  const expected = [1, '', `kontor: Cannot create the directory ${out}: file already exists.\n`]
  for (const { code, stdout, stderr } of [plain, json]) assert.deepEqual([code, stdout, stderr], expected)
  assert.match(debugged.stderr, /^\s+at /m)
})

test('A directory that cannot be written to is named', async (t) => {
  const { directory, values } = await prepare(t)
  const restrained: Command =
    process.getuid!() === 0
      ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override', ...bundle]
      : bundle
  const closed = join(directory, 'closed')
  mkdirSync(closed, { mode: 0o500 })
  const { data = '', company = '' } = values
  try {
    for (const args of [
      ['backup', join(closed, 'copy.db')],
      ['export', '--company', company, '--out', join(closed, 'new')],
      ['export', 'contacts', '--company', company, '--out', join(closed, 'contacts.csv')],
      ['export', '--format', 'sqlite', '--company', company, '--out', join(closed, 'new')],
    ]) {
      const { code, stderr } = await run(restrained, [...args, '--data', data])
      assert.equal(code, 1, args.join(' '))
      assertSentence(stderr.trim(), args.join(' '))
      assert.ok(stderr.includes(closed), stderr)
    }
  } finally {
    chmodSync(closed, 0o700) // so that the directory can be removed
  }
})
