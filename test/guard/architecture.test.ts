import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { type Source, sourcesIn } from './sources.ts'

/** From the top down: a file imports from its own module and from those in lower layers. */
const layers = [
  ['client'],
  ['main'],
  ['commands'],
  ['sandbox'],
  ['app', 'long-requests'],
  ['console', 'mcp', 'cluster'],
  ['http', 'threads'],
  ['features'],
  ['changes', 'crm'],
  ['access', 'engine'],
  ['store'],
  ['packaging'],
  ['config', 'errors'],
  ['files'],
  ['lib'],
]

/** The features that use the files of another one, with the reason. The others meet through the engine, the log and access. */
const featuresThatMeet: Record<string, string> = {
  'webhooks declared-fields': 'webhooks deliver changes of declared fields',
  'webhooks imports': 'webhooks deliver changes of jobs',
}

/** Folders that still import each other. A pair that is mended leaves the list. */
const pairsLeft = [
  'src/console/web <-> src/console/web/pages',
  'src/console/web <-> src/console/web/parts',
  'src/engine <-> src/engine/duplicates',
  'src/engine <-> src/engine/list',
  'src/engine <-> src/engine/write',
  'src/engine/declared <-> src/engine/list',
  'src/engine/declared <-> src/engine/write',
  'src/engine/definition <-> src/engine/list',
  'src/engine/definition <-> src/engine/write',
  'src/engine/export <-> src/engine/list',
  'src/engine/list <-> src/engine/search',
]

/** The modules that may import a package. Every module may import a package that is not listed. */
const packages: Record<string, string[]> = {
  koa: ['app', 'http'],
  '@koa/router': ['http'],
  'koa-bodyparser': ['http'],
  'better-sqlite3': ['store'],
  commander: ['main', 'commands'],
  pino: ['lib'],
  'prom-client': ['http'],
}

/** Upward imports that are allowed because they import only types, with the reason. */
const typeExceptions: Record<string, string> = {
  'src/access/credentials.ts src/engine/route.ts': 'a credential is the caller that a route is given',
}

/** Upward imports that are allowed because they only name the file of a worker thread. */
const pathExceptions: Record<string, string> = {
  'src/packaging/embedded.ts src/threads/worker.ts':
    'packaging knows where each part is; in development the worker is that file',
  'src/packaging/embedded.ts src/threads/read-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/threads/snapshot-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/threads/webhook-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/threads/checkpoint-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/long-requests/thread.ts':
    'packaging knows where each part is; in development the thread is that file',
}

const allSources = sourcesIn('src').filter(({ path }) => /\.tsx?$/.test(path))
const sources = allSources.filter(({ path }) => path.endsWith('.ts'))

/** Includes type-only imports, re-exports, dynamic imports and the files of threads. */
function importsOf({ text }: Source): string[] {
  const pattern =
    /(?:^(?:import|export)\b[^'"`;=]*?\bfrom\s+|^import\s+|\bimport\(\s*|\bnew URL\(\s*(?=['"][^'"]+\.ts['"]))['"]([^'"]+)['"]/gm
  return [...text.matchAll(pattern)].map((match) => match[1]!)
}

function ownImportsOf(source: Source): string[] {
  const own = importsOf(source).filter((name) => name.startsWith('.'))
  return own.map((name) => posix.join(posix.dirname(source.path), name))
}

/** Each group of files that import one another, sorted by name: `src/a.ts <-> src/b.ts`. */
function cyclesIn(files: readonly Source[]): string[] {
  const imports = new Map(files.map((file) => [file.path, loadedBy(file)]))
  const reached = new Map([...imports.keys()].map((path) => [path, reachableFrom(path, imports)]))
  const groups = [...imports.keys()].map((path) =>
    [...reached.get(path)!].filter((other) => reached.get(other)?.has(path)).sort(),
  )
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.join(' <-> ')))].sort()
}

/** The imports that load a file. The files of threads are excluded: only their paths are named. */
function loadedBy(file: Source): string[] {
  return ownImportsOf(file).filter((target) => !Object.hasOwn(pathExceptions, `${file.path} ${target}`))
}

function reachableFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const pending = [path]
  while (pending.length > 0) {
    for (const target of imports.get(pending.pop()!) ?? []) {
      if (!reached.has(target)) pending.push(target)
      reached.add(target)
    }
  }
  return reached
}

/** `src/store/open.ts` is in `src/store`; a file directly in `src` is a folder of its own. */
function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === 'src' ? path : folder
}

/** Pairs of folders that import each other, sorted: `src/a <-> src/b`. */
function pairsIn(files: readonly Source[]): string[] {
  const steps = new Set(
    files.flatMap((file) => loadedBy(file).map((target) => `${folderOf(file.path)} ${folderOf(target)}`)),
  )
  const pairs = [...steps]
    .map((step) => step.split(' '))
    .filter(([from, to]) => from! < to! && steps.has(`${to} ${from}`))
  return pairs.map((pair) => pair.join(' <-> ')).sort()
}

/** `src/store/open.ts` is in `store`, `src/app.ts` is `app`. */
function moduleOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '')
}

function layerOf(path: string): number {
  return layers.findIndex((modules) => modules.includes(moduleOf(path)))
}

test('Every file under src is in a module that has a layer', () => {
  const unknown = sources.filter(({ path }) => layerOf(path) === -1)

  assert.deepEqual(
    unknown.map(({ path }) => path),
    [],
  )
})

test('Imports go one way, from higher to lower layers', () => {
  const upward = sources.flatMap((source) =>
    ownImportsOf(source)
      .filter((target) => moduleOf(target) !== moduleOf(source.path) && layerOf(target) <= layerOf(source.path))
      .map((target) => `${source.path} ${target}`),
  )

  assert.deepEqual(upward.sort(), Object.keys({ ...typeExceptions, ...pathExceptions }).sort())
})

test('No file imports itself through others, not even for a type', () => {
  assert.deepEqual(cyclesIn(allSources), [])
})

test('The search for cycles finds each group of files that import one another', () => {
  const source = (path: string, ...names: string[]) => ({
    path: `src/${path}`,
    text: names.map((name) => `import type { T } from './${name}'\n`).join(''),
  })
  const sample = [
    source('a.ts', 'b.tsx', 'd.ts'),
    source('b.tsx', 'c.ts'),
    source('c.ts', 'a.ts'),
    source('d.ts', 'e.ts'),
    source('e.ts'),
  ]

  assert.deepEqual(cyclesIn(sample), ['src/a.ts <-> src/b.tsx <-> src/c.ts'])
})

test('No two folders import each other', () => {
  assert.deepEqual(pairsIn(allSources), pairsLeft)
})

test('The search for pairs finds the folders that import each other', () => {
  const source = (path: string, name: string) => ({ path: `src/${path}`, text: `import type { T } from '${name}'\n` })
  const sample = [
    source('a/one.ts', '../b/two.ts'),
    source('b/three.ts', '../a/b/four.ts'),
    source('a/b/four.ts', '../five.ts'),
    source('a/six.ts', './b/seven.ts'),
    source('main.ts', './a/one.ts'),
    source('b/eight.ts', '../errors.ts'),
  ]

  assert.deepEqual(pairsIn(sample), ['src/a <-> src/a/b'])
})

test('A feature uses the files of another one only for a reason', () => {
  const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1]
  const met = sources.flatMap((source) => {
    const from = featureOf(source.path)
    const others = ownImportsOf(source).map(featureOf)
    return others.filter((to) => from && to && to !== from).map((to) => `${from} ${to}`)
  })

  assert.deepEqual([...new Set(met)].sort(), Object.keys(featuresThatMeet))
})

test('An upward import that is allowed as a type imports only types', () => {
  for (const pair of Object.keys(typeExceptions)) {
    const [from = '', to = ''] = pair.split(' ')
    const { text } = sources.find(({ path }) => path === from)!
    const name = posix.relative(posix.dirname(from), to)

    assert.match(text, new RegExp(`^import type [^\n]*'${name}'`, 'm'), pair)
  }
})

for (const module of ['lib', 'client']) {
  test(`Files in ${module} import only packages and one another`, () => {
    const outward = sources
      .filter(({ path }) => moduleOf(path) === module)
      .flatMap((source) => ownImportsOf(source).filter((target) => moduleOf(target) !== module))

    assert.deepEqual(outward, [])
  })
}

test('Each package is imported only by the modules that may use it', () => {
  const strays = sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => Object.hasOwn(packages, name) && !packages[name]!.includes(moduleOf(source.path)))
      .map((name) => `${source.path} ${name}`),
  )

  assert.deepEqual(strays, [])
})

test('The engine names no resource', () => {
  const nouns = /\b(organization|contact|deal|stage|task|activit(y|ies))s?\b/i
  const named = sources
    .filter(({ path }) => moduleOf(path) === 'engine')
    .flatMap(({ path, text }) =>
      text
        .replace(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .split('\n')
        .filter((line) => nouns.test(line))
        .map((line) => `${path}: ${line}`),
    )

  assert.deepEqual(named, [])
})
