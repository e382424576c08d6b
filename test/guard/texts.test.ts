import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyNode, parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import { transformSync } from 'esbuild'
import { german } from '../../src/console/web/german/index.ts'
import { labels } from '../../src/console/web/german/labels.ts'
import { mailMessages } from '../../src/console/web/german/mail-messages.ts'
import { refusals } from '../../src/console/web/german/refusals.ts'
import { server } from '../../src/console/web/german/server.ts'
import { things } from '../../src/console/web/german/things.ts'
import { type Source, sourcesIn } from './sources.ts'

const folder = 'src/console/web'
const sources = sourcesIn(folder).filter(
  ({ path }) => /\.tsx?$/.test(path) && !path.startsWith(`${folder}/german/`) && !path.endsWith('.d.ts'),
)

/** The functions that take a text of the catalogue first. */
const translators = new Set(['t', 'counted', 'about'])
/** Properties whose values users see or hear. */
const shown = new Set(
  ['children', 'title', 'label', 'placeholder', 'hint', 'verb', 'body', 'lead', 'stored', 'effect', 'alt'].concat([
    ...['aria-label', 'aria-description', 'aria-roledescription'],
  ]),
)
/** Properties whose values are no texts. */
const technical = new Set([
  'class',
  'key',
  'name',
  'file',
  'of',
  'href',
  'type',
  'sandbox',
  'autoComplete',
  'aria-keyshortcuts',
])
/** Strings that look like texts: keys of the keyboard, headers, selectors, names and formats. */
const exempt = new Set([
  ...['Escape', 'Enter', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Space', 'AltGraph'],
  ...['ETag', 'If-Match', 'Accept', 'Content-Type', 'Retry-After', 'Last-Event-ID', 'X-Request-Id'],
  ...[
    'Kontor-Environment',
    'Kontor-Duplicate-Of',
    'Kontor-Position',
    'Kontor',
    'KontorDB',
    'DE',
    'UTC',
    'EUR',
    'CSV',
    'API',
    'URL',
  ],
  ...[
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'AbortError',
    'KONTOR_BACKUP_DIR',
    'KONTOR_FILES',
    'KONTOR_MAIL_DOMAIN',
    'KONTOR_SMTP_LISTEN',
    'docs/mail.md',
    'in.example.com',
    '/mail/in',
    '/api-v1-messages',
    'SMTP',
    'STARTTLS',
    'HTTP',
    'kontor plan set',
    'kontor setup-link',
    '(Ctrl+Z)',
    'BEGIN:VCARD',
  ],
  ...[
    'Edge',
    'Opera',
    'Samsung Internet',
    'Firefox',
    'Chrome',
    'Safari',
    'Android',
    'ChromeOS',
    'Windows',
    'Mac',
    'Linux',
  ],
  ...[
    '.records tbody [data-column]',
    '.records tbody tr',
    'main h1',
    'new window',
    'English',
    'Deutsch',
    '.conflicts input',
    'noopener noreferrer',
    'quiet small',
    'info',
  ],
  'It is already as it was before', // of the server, compared
  'Its fields follow from other records', // likewise
  ...['Bearer', 'Bearer ${input:', 'claude mcp add --transport http kontor'],
])

test('Every text of the console is in its catalogue', () => {
  assert.deepEqual(sources.flatMap(untranslatedIn), [])
})

test('Each German text has the values and the plural forms of the English one', () => {
  const valuesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join()
  const formsOf = (text: string) => text.split('|').length
  const differing = Object.entries(german).filter(
    ([english, text]) => valuesOf(english) !== valuesOf(text) || formsOf(english) !== formsOf(text),
  )
  assert.deepEqual(differing, [])
})

test('Every German text is of a text that the console has', () => {
  const used = new Set(sources.flatMap((source) => stringsIn(source).map(({ value }) => value)))
  const unused = Object.keys(german).filter(
    (text) =>
      !used.has(text) && ![labels, mailMessages, refusals, server, things].some((part) => Object.hasOwn(part, text)),
  )
  assert.deepEqual(unused, [])
})

interface Found {
  value: string
  node: AnyNode
  /** The nodes around it, the nearest last. */
  above: readonly AnyNode[]
}

/** The strings of a file, and the parts of its templates. */
function stringsIn({ path, text }: Source): Found[] {
  const loader = path.endsWith('x') ? 'tsx' : 'ts'
  const { code } = transformSync(text, { loader, jsx: 'automatic', format: 'esm', charset: 'utf8' })
  const found: Found[] = []
  const add = (value: unknown, node: AnyNode, above: readonly AnyNode[]) => {
    if (typeof value === 'string') found.push({ value, node, above: above.slice(0, -1) })
  }
  ancestor(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
    Literal: (node, _, above) => add(node.value, node, above),
    TemplateElement: (node, _, above) => add(node.value.cooked, node, above),
  })
  return found
}

/** The texts of a file that do not come from the catalogue: `src/console/web/x.tsx: Save`. */
function untranslatedIn(source: Source): string[] {
  const isUntranslated = ({ value, node, above }: Found) =>
    !exempt.has(value.trim()) && !value.includes('{noun}') && isText(value, above) && !isExempt(node, above)
  return stringsIn(source)
    .filter(isUntranslated)
    .map(({ value }) => `${source.path}: ${value}`)
}

/** Whether a string is, or is part of, what users see: a word at a place that is shown, or a capitalized word or a sentence anywhere. */
function isText(value: string, above: readonly AnyNode[]): boolean {
  if (/^\p{Lu}\p{Ll}+/u.test(value) || /\p{Ll} \p{L}|^ \p{Ll}{3,}[.,]?/u.test(value)) return true
  const holder = above.findLast(({ type }) => !/^(Array|Conditional|Logical)Expression$|^TemplateLiteral$/.test(type))
  return holder?.type === 'Property' && shown.has(nameOf(holder.key)) && /\p{L}{2}/u.test(value)
}

function isExempt(node: AnyNode, above: readonly AnyNode[]): boolean {
  const parent = above.at(-1)!
  if (/^(Import|Export)/.test(parent.type) || parent.type === 'SwitchCase') return true
  if (parent.type === 'Property' && parent.key === node) return true
  if (parent.type === 'BinaryExpression' && /^[!=]==$|^in$/.test(parent.operator)) return true
  const path = [...above, node]
  return above.some((each, at) => isTechnical(each, path[at + 1]!) || isTranslated(each, path, at))
}

/** Whether the part of a node that comes next on the path is never shown. */
function isTechnical(node: AnyNode, next: AnyNode): boolean {
  if (node.type === 'Property') return technical.has(nameOf(node.key))
  if (node.type === 'MemberExpression') return node.property === next
  return node.type === 'NewExpression' && nameOf(node.callee) === 'Error'
}

/** Whether the path leads to the text that a function or `<T text="…">` translates. */
function isTranslated(node: AnyNode, path: readonly AnyNode[], at: number): boolean {
  if (node.type !== 'CallExpression') return false
  if (translators.has(nameOf(node.callee))) return node.arguments[0] === path[at + 1]
  const property = path[at + 2]
  return nameOf(node.arguments[0]) === 'T' && property?.type === 'Property' && nameOf(property.key) === 'text'
}

function nameOf(node: AnyNode | undefined): string {
  if (node?.type === 'Identifier') return node.name
  return node?.type === 'Literal' ? String(node.value) : ''
}
