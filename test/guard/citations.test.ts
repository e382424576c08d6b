import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { decisionsCitedIn, headingsOf, linksIn, sectionsCitedIn } from './citations.ts'
import { type Source, sourcesIn } from './sources.ts'

const root = new URL('../../', import.meta.url).pathname
const own = 'test/guard/citations.test.ts'

const code = [
  ...[...sourcesIn('src'), ...sourcesIn('test')].filter(({ path }) => path !== own),
  ...['schema.sql', 'build.mjs', 'release.mjs'].map(sourceAt),
]
const pages = [
  ...readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .map(sourceAt),
  ...['docs', 'deploy', 'test'].flatMap(sourcesIn).filter(({ path }) => path.endsWith('.md')),
]
const decisionPages = pages.filter(({ path }) => path.startsWith('docs/decisions/'))
const index = 'docs/decisions/README.md'

const lettered = decisionPages.flatMap(({ text }) => headingsOf(text).flatMap(({ title }) => idOf(title)))
const specified = headingsOf(sourceAt('docs/decisions/specification.md').text).map(({ title }) => title)

function sourceAt(path: string): Source {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

/** `B6: Types` → `B6` */
function idOf(title: string): string[] {
  return title.match(/^[A-Z]\d+(?=:)/) ?? []
}

function unresolved(sources: Source[], cited: (text: string) => string[], known: readonly string[]): string[] {
  return sources.flatMap(({ path, text }) =>
    cited(text)
      .filter((name) => !known.includes(name))
      .map((name) => `${path}: ${name}`),
  )
}

/** The relative links of a page whose file or heading does not exist. */
function brokenLinks({ path, text }: Source, read: (path: string) => string | undefined): string[] {
  return linksIn(text).filter((link) => {
    const [file, anchor] = link.split('#') as [string, string?]
    const target = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file))
    const found = target === path ? text : read(target)
    if (found === undefined) return true
    return anchor !== undefined && !headingsOf(found).some((heading) => heading.anchor === anchor)
  })
}

/** The text of a page; an empty text for any other file or folder of the project. */
function readIfThere(path: string): string | undefined {
  if (path.startsWith('..') || !existsSync(join(root, path))) return undefined
  return path.endsWith('.md') ? sourceAt(path).text : ''
}

test('Every lettered decision that is cited is in docs/decisions', () => {
  assert.deepEqual(unresolved([...code, ...pages], decisionsCitedIn, lettered), [])
})

test('Every section of the specification that a comment cites is in docs/decisions/specification.md', () => {
  assert.deepEqual(
    unresolved(code, (text) => sectionsCitedIn(text, 'spec'), specified),
    [],
  )
})

test('No comment cites the design, which is not in the repository', () => {
  assert.deepEqual(
    unresolved(code, (text) => sectionsCitedIn(text, 'design'), []),
    [],
  )
})

test('Every letter and number identifies one decision', () => {
  assert.deepEqual(
    lettered.filter((id, place) => lettered.indexOf(id) !== place),
    [],
  )
})

test('The index of the decisions links to each of them', () => {
  const links = linksIn(sourceAt(index).text)
  const decisions = decisionPages
    .filter(({ path }) => path !== index)
    .flatMap(({ path, text }) =>
      headingsOf(text)
        .filter(({ level }) => level === 2)
        .map(({ anchor }) => `${posix.basename(path)}#${anchor}`),
    )

  assert.deepEqual(
    decisions.filter((decision) => !links.includes(decision)),
    [],
  )
})

test('Every relative link in a Markdown file leads to a file, and to a heading in it', () => {
  assert.deepEqual(
    pages.flatMap((page) => brokenLinks(page, readIfThere).map((link) => `${page.path}: ${link}`)),
    [],
  )
})

test('Every page of docs that code names exists', () => {
  const named = (text: string) => text.match(/\bdocs\/[\w/-]+\.md\b/g) ?? []
  const missing = code.flatMap(({ path, text }) =>
    named(text)
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${path}: ${name}`),
  )

  assert.deepEqual(missing, [])
})

test('The checker finds a citation in each of its forms', async (t) => {
  const forms: [text: string, cited: string[]][] = [
    ['/** decision B6 */', ['B6']],
    ['Decision B6 says', ['B6']],
    ['(decisions A9, B2)', ['A9', 'B2']],
    ['(decisions A9 and B2)', ['A9', 'B2']],
    ['by decisions B10 and C4 to C6', ['B10', 'C4', 'C5', 'C6']],
    ['decisions C4 to D1', ['C4', 'C4 to D1']],
    ['/**\n * (decision\n * B6).\n */', ['B6']],
    ['-- decisions B6,\n-- B7', ['B6', 'B7']],
    ['a decision\nB6 makes', ['B6']],
    ['the decision is B6', []],
  ]
  for (const [text, cited] of forms) {
    await t.test(JSON.stringify(text), () => assert.deepEqual(decisionsCitedIn(text), cited))
  }
})

test('The checker finds the sections that a comment cites', () => {
  const cited = (text: string) => sectionsCitedIn(text, 'spec')

  assert.deepEqual(cited('/** spec: Task, Task status. Naming `completed` */'), ['Task', 'Task status'])
  assert.deepEqual(cited('(// spec: Rate limits; decision E7)'), ['Rate limits'])
  assert.deepEqual(cited('// spec: Errors: 429 after `Retry-After`'), ['Errors'])
  assert.deepEqual(cited('/** (spec: rule 2). */'), ['rule 2'])
  assert.deepEqual(cited('const options = { spec: document }'), [])
})

test('The checker reports a citation that leads nowhere', () => {
  const page = { path: 'src/a.ts', text: '/** decisions A1, Z9 */' }

  assert.deepEqual(unresolved([page], decisionsCitedIn, ['A1']), ['src/a.ts: Z9'])
})

test('The checker reports links to missing files and headings, and no others', () => {
  const page = {
    path: 'docs/a.md',
    text: [
      '# One `two`: three',
      '[a](b.md) [b](b.md#b) [c](#one-two-three) ![d](../x.png) [e](https://example.com/c.md)',
      '[f](c.md) [g](b.md#c) [h](#one) <img alt="" src="y.png">',
      '[i]: d.md',
      '`[j](e.md)`',
      '```md\n[k](e.md)\n# No heading\n```',
    ].join('\n'),
  }
  const files: Record<string, string> = { 'docs/b.md': '## B', 'x.png': '' }

  assert.deepEqual(
    brokenLinks(page, (path) => files[path]),
    ['c.md', 'b.md#c', '#one', 'd.md', 'y.png'].sort(
      (a, b) => linksIn(page.text).indexOf(a) - linksIn(page.text).indexOf(b),
    ),
  )
})
