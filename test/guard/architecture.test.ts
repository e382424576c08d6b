import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { cyclesIn, importsOf, moduleOf, ownImportsOf, pairsIn, pathExceptions } from './imports.ts'
import { sourcesIn } from './sources.ts'

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
  ['content'],
  ['store', 'mail'],
  ['packaging'],
  ['config', 'errors'],
  ['files'],
  ['lib'],
]

/** The features that use the files of another one, with the reason. The others meet through the engine, the log and access. */
const featuresThatMeet: Record<string, string> = {
  'mail files': 'messages have files, and originals',
  'webhooks declared-fields': 'webhooks deliver changes of declared fields',
  'webhooks imports': 'webhooks deliver changes of jobs',
}

/** The floors of the engine, from the top down: a file imports from its own floor and from lower ones. */
const floors = ['src/engine/api', 'src/engine/finding', 'src/engine/records']

/** The modules that may import a package. Every module may import a package that is not listed. */
const packages: Record<string, string[]> = {
  koa: ['app', 'http'],
  '@koa/router': ['http'],
  'koa-bodyparser': ['http'],
  'better-sqlite3': ['store'],
  commander: ['main', 'commands'],
  pino: ['lib'],
  'prom-client': ['http'],
  mailparser: ['mail'],
  'sanitize-html': ['mail'],
  'mailauth/lib/dkim/verify.js': ['mail'],
  'mailauth/lib/spf/index.js': ['mail'],
  'mailauth/lib/tools.js': ['mail'],
}

/** Upward imports that are allowed because they import only types, with the reason. */
const typeExceptions: Record<string, string> = {
  'src/access/credentials.ts src/engine/api/call/route.ts': 'a credential is the caller that a route is given',
}

const allSources = sourcesIn('src').filter(({ path }) => /\.tsx?$/.test(path))
const sources = allSources.filter(({ path }) => path.endsWith('.ts'))

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
  assert.deepEqual(pairsIn(allSources), [])
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

test('The engine has three floors, and imports go down', () => {
  const floorOf = (path: string) => floors.findIndex((floor) => path.startsWith(`${floor}/`))
  const engine = sources.filter(({ path }) => moduleOf(path) === 'engine')
  const upward = engine.flatMap((source) =>
    ownImportsOf(source).filter((target) => moduleOf(target) === 'engine' && floorOf(target) < floorOf(source.path)),
  )

  assert.deepEqual([engine.filter(({ path }) => floorOf(path) === -1), upward], [[], []])
})

test('No two scripts of the console have the same name', () => {
  const folder = 'src/console/web'
  const paths = allSources.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`))
  const same = [...Map.groupBy(paths, (path) => posix.parse(path).name).values()].filter(({ length }) => length > 1)

  assert.deepEqual(same, [])
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
