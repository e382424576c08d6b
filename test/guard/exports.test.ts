import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { type Source, sourcesIn } from './sources.ts'

const programs = ['build.mjs', 'release.mjs'].map((path) => ({
  path,
  text: readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
}))

const code = /\.(?:tsx?|mjs)$/

/** Imported by users of the package, and by text that the build writes. */
const published = /^src\/(?:client\/|packaging\/embedded\.ts)/

/** The names that each file exports and no file imports: `src/a.ts name`. A file that is imported as a whole uses all. */
function unusedIn(files: readonly Source[]): string[] {
  const imported = new Set(files.flatMap(importsOf))
  return files.flatMap((file) => {
    if (!file.path.startsWith('src/') || published.test(file.path) || imported.has(`${file.path} *`)) return []
    return exportsOf(file).filter((name) => !imported.has(name))
  })
}

function importsOf({ path, text }: Source): string[] {
  const target = (name: string) => posix.join(posix.dirname(path), name)
  const named = text.matchAll(/(?:import|export)\s+(?:type\s+)?(\*[^'"]*|\{[^}]*\})\s*from\s+'(\.[^']+)'/g)
  const whole = text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)/g)
  return [
    ...[...named].flatMap(([, names, from]) =>
      (names!.startsWith('*') ? ['*'] : namesIn(names!, 0)).map((name) => `${target(from!)} ${name}`),
    ),
    ...[...whole].map(([, from]) => `${target(from!)} *`),
  ]
}

function exportsOf({ path, text }: Source): string[] {
  const declared = text.matchAll(/^export\s+(?:async\s+)?(?:function\*?|const|let|class|interface|type)\s+(\w+)/gm)
  const listed = text.matchAll(/^export\s+(?:type\s+)?(\{[^}]*\})/gm)
  const names = [...[...declared].map(([, name]) => name!), ...[...listed].flatMap(([, list]) => namesIn(list!, -1))]
  return names.map((name) => `${path} ${name}`)
}

/** The names of `{ a, type b as c }`: as they are where they come from (0), or here (-1). */
function namesIn(list: string, at: 0 | -1): string[] {
  const parts = list.replace(/[{}]/g, '').split(',')
  return parts.flatMap((part) =>
    part.trim() === ''
      ? []
      : part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)
          .at(at)!,
  )
}

test('Every export is imported by a file of the project', () => {
  const files = [...['src', 'test', 'examples'].flatMap(sourcesIn), ...programs].filter(({ path }) => code.test(path))

  assert.deepEqual(unusedIn(files), [])
})

test('The search for unused exports finds each form', () => {
  const source = (name: string, text: string) => ({ path: `src/${name}`, text })
  const files = [
    source('a.ts', 'export function f() {}\nexport const x = 1\nexport interface Shape {}\nexport { y as z, type T }'),
    source('b.ts', "import { f, type T } from './a.ts'\nconst c = await import('./c.ts')\nexport type Last = T"),
    source('c.ts', 'export class Whole {}'),
  ]

  assert.deepEqual(unusedIn(files), ['src/a.ts x', 'src/a.ts Shape', 'src/a.ts z', 'src/b.ts Last'])
})
