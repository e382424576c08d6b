import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyNode, parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import { transformSync } from 'esbuild'
import { serverTexts } from '../../src/console/web/german/index.ts'
import { patternOf } from '../../src/console/web/german/pattern.ts'
import { type Source, sourcesIn } from './sources.ts'

/** Where messages about mail, files and keys come from. Replies of the SMTP door are for other servers. */
const sources = ['src/features/mail', 'src/mail', 'src/crm', 'src/access', 'src/features/files']
  .flatMap(sourcesIn)
  .filter(({ path }) => !/describe-|\/smtp\/|adopt|\.d\.ts$/.test(path))
  .filter(({ path }) => !path.startsWith('src/crm/') || /message|ignored-sender/.test(path))
  .filter(({ path }) => !path.startsWith('src/access/') || path.endsWith('/key.ts'))

/** What no page of the console shows: the answers to those who deliver mail, and causes that only the log has. */
const notShown = new Set([
  ...['Deal id', 'User id', 'Delivered message'], // labels
  'A personal one belongs to a user: use a session, or a personal key that its user has created',
  'No answer in time',
  'The body is a raw message: Content-Type must be *',
  'The body is the message: it must not be empty',
  'The message was not stored',
  'The thread had no time to compute',
  'There is no such address',
  'This company is not served here',
  'Too many messages wait to be delivered: try again later',
])

test('Every message about mail, files and keys that the console shows has a German text', () => {
  const messages = sources.flatMap(messagesIn)
  const patterns = serverTexts.map(patternOf)

  const untranslated = messages.filter((text) => !notShown.has(text) && !patterns.some((each) => each.test(text)))

  assert.ok(messages.length > 50, 'they are found')
  assert.deepEqual(untranslated, [])
  assert.deepEqual(
    [...notShown].filter((text) => !messages.includes(text)),
    [],
  )
})

/** The sentences of a file; `*` stands for what varies. */
function messagesIn({ text }: Source): string[] {
  const { code } = transformSync(text, { loader: 'ts', format: 'esm', charset: 'utf8' })
  const found: string[] = []
  const add = (text: string, above: readonly AnyNode[]) => {
    if (/^(?:[A-Z]|\* )[^A-Z]* ./.test(text) && /[a-z]{2} /.test(text) && !above.some(isElsewhere)) found.push(text)
  }
  ancestor(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
    Literal: ({ value }, _, above) => typeof value === 'string' && add(value, above),
    TemplateLiteral: ({ quasis }, _, above) => add(quasis.map(({ value }) => value.cooked).join('*'), above),
  })
  return found
}

/** Whether a node has what the API document or the log of the server says. */
function isElsewhere(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return node.callee.type === 'Identifier' && node.callee.name === 'log'
  if (node.type === 'FunctionDeclaration') return node.id?.name.startsWith('describe') === true
  return node.type === 'Property' && node.key.type === 'Identifier' && node.key.name === 'about'
}
