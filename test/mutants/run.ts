// Plants each fault in a copy of the project and reports which test notices it, if one does.
// `npm run mutants -- [names…] [--revision <commit>] [--all]`
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, planted } from './mutant.ts'
import { mutants } from './mutants.ts'

/** The most that a test, and the tests of a file, may take. */
const testMsMax = 120_000
const fileMsMax = 600_000
const testOptions = ['--test', '--test-isolation=none', '--test-reporter=tap', `--test-timeout=${testMsMax}`]

const root = new URL('../../', import.meta.url).pathname
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { revision: { type: 'string' }, all: { type: 'boolean', default: false } },
})
const chosen = choose()
const place = mkdtempSync(join(tmpdir(), 'kontor-mutants-'))
chmodSync(place, 0o755) // some tests run the program as another user
process.on('exit', () => rmSync(place, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(130))
const [copy, temporary] = ['copy', 'temporary'].map((name) => makeDirectory(join(place, name))) as [string, string]
copyTo(copy, options.revision)
for (const mutant of chosen) planted(sourceOf(mutant), mutant) // fails now if one has no place

const missed: Mutant[] = []
for (const mutant of chosen) {
  const begin = performance.now()
  const failure = await noticedBy(mutant)
  if (!failure) missed.push(mutant)
  const outcome = failure ? `caught ${mutant.name} by ${failure.file}: ${failure.test}` : `missed ${mutant.name}`
  console.log(`${outcome} (${Math.round((performance.now() - begin) / 1000)} s)`)
}
if (options.all && missed.length > 0) await runWholeSuite(missed)
console.log(`caught ${chosen.length - missed.length} of ${chosen.length}`)

function choose(): readonly Mutant[] {
  const unknown = names.find((name) => !mutants.some((mutant) => mutant.name === name))
  if (unknown === undefined) return names.length === 0 ? mutants : mutants.filter(({ name }) => names.includes(name))
  throw new Error(`There is no fault ${unknown}; they are ${mutants.map(({ name }) => name).join(', ')}`)
}

function makeDirectory(path: string): string {
  mkdirSync(path)
  return path
}

/** Copies the tracked files, with changes that are not committed unless a revision is given. */
function copyTo(directory: string, revision: string | undefined): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 })
  const tree = revision ?? (git('stash', 'create').toString().trim() || 'HEAD')
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', tree) })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
}

function sourceOf({ file }: Mutant): string {
  return readFileSync(join(copy, file), 'utf8')
}

interface Failure {
  file: string
  test: string
  /** The test of the file that contains it. */
  outer: string | undefined
}

/** The first test that fails with the fault, twice, and passes without it: some tests fail by chance. */
async function noticedBy(mutant: Mutant): Promise<Failure | undefined> {
  const source = sourceOf(mutant)
  const write = (text: string) => writeFileSync(join(copy, mutant.file), text)
  try {
    for (const file of mutant.tests.flatMap((glob) => globSync(glob, { cwd: copy }).sort())) {
      write(planted(source, mutant))
      const failure = await failureIn(file)
      if (!failure) continue
      const isRepeated = (await failureIn(file, failure.outer)) !== undefined
      write(source)
      if (isRepeated && !(await failureIn(file, failure.outer))) return failure
      console.log(`${file}: ${failure.test}: ${isRepeated ? 'fails without a fault, too' : 'failed by chance'}`)
    }
    return undefined
  } finally {
    write(source)
  }
}

/** The first test of a file that fails. `only`: the test that is run; default: all. */
async function failureIn(file: string, only?: string): Promise<Failure | undefined> {
  if (isOfProgram(file)) build()
  const pattern = only === undefined ? [] : [`--test-name-pattern=/^${only.replace(/[^\w\s]/g, '\\$&')}$/`]
  const { code, output } = await runTests(...pattern, file)
  if (code === 'late') console.log(`${file}: took longer than ${fileMsMax / 60_000} minutes`)
  if (code === 0 || code === 'late') return undefined
  const failed = [...output.matchAll(/^( *)not ok \d+ - (.*)$/gm)].map(([, indent, name]) => ({
    ...{ isOuter: indent === '', name: name!.replace(/\\([\\#])/g, '$1') },
  }))
  const outer = failed.find(({ isOuter }) => isOuter)?.name
  return { file, test: failed[0]?.name ?? 'it ended early', outer }
}

/** Whether a test, or what it imports, runs the built program. */
function isOfProgram(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false
  seen.add(path)
  const text = readFileSync(join(copy, path), 'utf8')
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name]) => posix.join(posix.dirname(path), name!))
  return text.includes("'dist/kontor") || imported.some((each) => each.startsWith('test/') && isOfProgram(each, seen))
}

function build(): void {
  execFileSync(process.execPath, ['build.mjs', '--if-needed'], { cwd: copy })
}

/** Runs tests in the copy, until one has failed. Ends what they leave running. */
function runTests(...args: string[]): Promise<{ code: number | null | 'late'; output: string }> {
  const env = { ...process.env, TMPDIR: temporary }
  const child = spawn(process.execPath, [...testOptions, ...args], {
    ...{ cwd: copy, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
  })
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // it has left nothing
    }
  }
  process.on('exit', end)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, fileMsMax)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (/^not ok .*\n/m.test(output)) end()
  })
  return new Promise((resolve) => {
    child.on('exit', end)
    child.on('close', (code) => {
      clearTimeout(timer)
      process.off('exit', end)
      resolve({ code: isLate ? 'late' : code, output })
    })
  })
}

/** Runs every test with all of these faults together. Which test has noticed which fault is for a person to find out. */
async function runWholeSuite(together: readonly Mutant[]): Promise<void> {
  for (const mutant of together) writeFileSync(join(copy, mutant.file), planted(sourceOf(mutant), mutant))
  console.log(`The whole suite with the ${together.length} faults that were missed:`)
  build()
  const suite = spawn(process.execPath, ['test/run.ts', 'all'], { cwd: copy, stdio: 'inherit' })
  await new Promise((resolve) => suite.on('close', resolve))
}
