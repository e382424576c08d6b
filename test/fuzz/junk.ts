import type { Random } from '../support/random.ts'

const deep = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

/** Unusual values. */
const values: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => 0.1 + 0.2,
  () => '',
  () => ' \t\n',
  () => 'null',
  () => '\0',
  () => '\ud800',
  () => '\u202e\ufeffß'.repeat(7),
  () => "'; DROP TABLE organization; --",
  () => '%_\\*?"[]{}',
  () => 'x'.repeat(501),
  () => 'ü'.repeat(70_000),
  () => '2026-02-30',
  () => '9999-12-31T23:59:60Z',
  () => '-000001-01-01T00:00:00Z',
  () => '01890a5d-ac96-474b-bcce-b302099a8057',
  () => [],
  () => [null],
  () => Array.from({ length: 101 }, () => ({})),
  () => ({}),
  () => ({ a: { b: { c: [1, 'x', null] } } }),
  () => deep(40),
  () => JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}'),
]

export const junkValue = (random: Random): unknown => random.pick(values)()

/** An unusual value for a part of a URL. */
export function junkText(random: Random): string {
  const value = junkValue(random)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return encodeURIComponent(text.toWellFormed().slice(0, 300))
}

/** Bodies that are not a JSON object in UTF-8. */
const bodies: readonly (() => Buffer)[] = [
  () => Buffer.alloc(0),
  () => Buffer.from('{'),
  () => Buffer.from('{"name":"x"'),
  () => Buffer.from('[]'),
  () => Buffer.from('null'),
  () => Buffer.from('"text"'),
  () => Buffer.from('{"name":"x"} {}'),
  () => Buffer.from('{"name":NaN}'),
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  () => Buffer.from('{"a":'.repeat(20_000)),
  () => Buffer.from('name=x&status=lead'),
]

export const junkBody = (random: Random): Buffer => random.pick(bodies)()

/** Pages of the console. */
export const pages: readonly string[] = ['/', '/contacts/x', '/setup']

export const junkPaths: readonly string[] = [
  ...pages,
  '//',
  '/%',
  '/%00',
  '/api-v1-',
  '/api-v1-nothing',
  '/api-v1-organizations/',
  '/api-v1-organizations//',
  '/api-v1-organizations/../api-v1-keys',
  '/API-V1-ORGANIZATIONS',
  '/api-v1-contacts/x/y/z',
  '/api-v1-contacts/%E0%A4%A',
  '/console/',
  '/console/users/',
  '/CONSOLE/session',
  '/assets/nothing',
  '/healthz?x=1',
  '/readyz',
  '/__proto__',
  `/${'x'.repeat(5_000)}`,
]
