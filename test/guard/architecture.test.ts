import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { type Source, sourcesIn } from '../support/sources.ts'

/** From the top down: a file imports from its own room and from those below it. */
const floors = [
  ['main'],
  ['commands'],
  ['app'],
  ['console'],
  ['http', 'jobs'],
  ['crm'],
  ['access', 'engine'],
  ['store'],
  ['packaging'],
  ['config', 'errors'],
  ['lib'],
]

/** Who may use what others wrote. A package that is not listed is free for all. */
const packages: Record<string, string[]> = {
  koa: ['app', 'http'],
  '@koa/router': ['http'],
  'koa-bodyparser': ['http'],
  'better-sqlite3': ['store'],
  commander: ['main', 'commands'],
  pino: ['lib'],
  'prom-client': ['http'],
}

/** Upward, but only as a type. */
const typeExceptions: Record<string, string> = {
  'src/access/credentials.ts src/engine/route.ts': 'a credential is the caller that a route is given',
}

/** Upward, but only as the path of a file that runs in a thread of its own. */
const pathExceptions: Record<string, string> = {
  'src/packaging/embedded.ts src/jobs/worker.ts':
    'packaging knows where each part lies; in development the worker is that file',
  'src/packaging/embedded.ts src/jobs/read-thread.ts': 'the same',
}

const sources = sourcesIn('src').filter(({ path }) => path.endsWith('.ts'))

/** Type-only imports, re-exports and dynamic imports, too. */
function importsOf({ text }: Source): string[] {
  const pattern =
    /(?:^(?:import|export)\b[^'"`;=]*?\bfrom\s+|^import\s+|\bimport\(\s*|\bnew URL\(\s*(?=['"][^'"]+\.ts['"]))['"]([^'"]+)['"]/gm
  return [...text.matchAll(pattern)].map((match) => match[1]!)
}

function ownImportsOf(source: Source): string[] {
  const own = importsOf(source).filter((name) => name.startsWith('.'))
  return own.map((name) => posix.join(posix.dirname(source.path), name))
}

/** `src/store/open.ts` is in `store`, `src/app.ts` is `app`. */
function roomOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '')
}

function floorOf(path: string): number {
  return floors.findIndex((rooms) => rooms.includes(roomOf(path)))
}

test('Every file under src is in a room that the design knows', () => {
  const homeless = sources.filter(({ path }) => floorOf(path) === -1)

  assert.deepEqual(
    homeless.map(({ path }) => path),
    [],
  )
})

test('Imports go one way, from the top down', () => {
  const upward = sources.flatMap((source) =>
    ownImportsOf(source)
      .filter((target) => roomOf(target) !== roomOf(source.path) && floorOf(target) <= floorOf(source.path))
      .map((target) => `${source.path} ${target}`),
  )

  assert.deepEqual(upward.sort(), Object.keys({ ...typeExceptions, ...pathExceptions }).sort())
})

test('An upward import by exception is a type and nothing else', () => {
  for (const pair of Object.keys(typeExceptions)) {
    const [from = '', to = ''] = pair.split(' ')
    const { text } = sources.find(({ path }) => path === from)!
    const name = posix.relative(posix.dirname(from), to)

    assert.match(text, new RegExp(`^import type [^\n]*'${name}'`, 'm'), pair)
  }
})

test('The leaves in lib import nothing of ours but one another', () => {
  const outward = sources
    .filter(({ path }) => roomOf(path) === 'lib')
    .flatMap((source) => ownImportsOf(source).filter((target) => roomOf(target) !== 'lib'))

  assert.deepEqual(outward, [])
})

test('Each package is used in the room that it belongs to', () => {
  const strays = sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => Object.hasOwn(packages, name) && !packages[name]!.includes(roomOf(source.path)))
      .map((name) => `${source.path} ${name}`),
  )

  assert.deepEqual(strays, [])
})

test('The engine names no resource', () => {
  const nouns = /\b(organization|contact|deal|stage|task|activit(y|ies))s?\b/i
  const named = sources
    .filter(({ path }) => roomOf(path) === 'engine')
    .flatMap(({ path, text }) =>
      text
        .replace(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .split('\n')
        .filter((line) => nouns.test(line))
        .map((line) => `${path}: ${line}`),
    )

  assert.deepEqual(named, [])
})
