import type { JsonSchema } from '../../src/engine/records/describe.ts'
import { dayMs, timestamp } from '../../src/lib/clock.ts'
import { isValid, resolve } from '../support/described.ts'
import type { Random } from '../support/random.ts'

/** The ids of records by the name of the member that may refer to them. */
export type Ids = Readonly<Record<string, readonly string[]>>

type Json = Record<string, unknown>
type Path = readonly (string | number)[]

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Text that is valid for some field, and text that is nearly valid. */
const strings = [
  ...['', ' ', ' \t\n', '\u00a0', 'x', ' x ', 'null', 'true', '5', 'Grün 😀', '\0', 'a\0b', '\ud800'],
  ...[500, 501].flatMap((length) => [
    'x'.repeat(length),
    '😀'.repeat(length),
    `${' '.repeat(9)}${'ü'.repeat(length)} `,
  ]),
  ...['x'.repeat(100_000), 'x'.repeat(100_001)],
  ...['EUR', 'usd', ' chf ', 'EURO', 'E1R', 'ÄÖÜ', '#00ff00', '#ABCDEF', '#abc', '#00ff0g', ' #00ff00'],
  ...['lead', 'LEAD', ' lead ', 'pending', 'completed', 'high', 'call', 'work', 'live', 'personal', 'shared', 'won'],
  ...['2026-07-01', '2026-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '2026-04-31', '0000-01-01', '2026-7-1'],
  ...['2026-07-01T08:00:00Z', '2026-07-01T08:00', '2026-07-01t08:00:00.123456789z', '2026-07-01T08:00:00,5+0200'],
  ...['2026-07-01T24:00', '2026-07-01T24:00:01Z', '2026-07-01T23:59:60Z', '2026-07-01 08:00:00Z', '2026-07-01T25:00Z'],
  ...['2026-07-01T08:00+24:00', '2026-07-01T08:00:00.1234567890Z', '9999-12-31T23:59:59.999Z', '2026-07', 'soon'],
  ...[unknownId, unknownId.toUpperCase(), ` ${unknownId}`, unknownId.slice(1), `{${unknownId}}`, 'no-uuid'],
  ...[
    'grace@nordwind.example',
    ' grace@nordwind.example',
    'grace@nordwind',
    'a..b@c.example',
    '.a@c.example',
    'a@b@c.de',
  ],
  ...[
    `${'a'.repeat(64)}@c.example`,
    `${'a'.repeat(65)}@c.example`,
    `a@${'b.'.repeat(126)}de`,
    `a@${'b'.repeat(64)}.de`,
  ],
  ...['https://example.com/kontor', 'https://hooks.example.org/crm?a=1', 'ftp://example.com', 'https://a b.example'],
  ...['+49 89 1234567', 'read:all', 'read:nothing', 'grün@c.example', 'a@c.example\n', 'a@-c.example'],
]

const others = [null, true, false, 0, -0, 1, -1, 0.5, 100, 100.5, 101, 2 ** 53 - 1, 2 ** 53, -1e308, 1e308, 1e-9]

const nested = [
  [],
  {},
  [null],
  [''],
  ['read:all'],
  ['read:all', 'read:all'],
  ['read:all', 5],
  [{}],
  [[]],
  { a: [1, null] },
]

let made = 0

/** A random value that is valid by the schema. References refer to `ids`. */
export function validValue(schema: JsonSchema, random: Random, ids: Ids, name = ''): unknown {
  const target = resolve(schema)
  if (target.anyOf) return validValue(random.pick(target.anyOf as JsonSchema[]), random, ids, name)
  if (target.enum) return random.pick(target.enum as unknown[])
  const type = Array.isArray(target.type) ? random.pick(target.type) : target.type
  if (type === 'object') return validObject(target, random, ids)
  if (type === 'array') {
    const items = Array.from({ length: 1 + random.below(2) }, () => target.items as JsonSchema)
    return items.map((item) => validValue(item, random, ids))
  }
  if (type === 'string') return validString({ ...target, type }, random, ids[name])
  return random.pick(fittingOf({ ...target, type }, others))
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>
  required?: string[]
  /** Alternatives, of which exactly one has its members. */
  oneOf?: { required: string[] }[]
  dependentRequired?: Record<string, string[]>
}

function validObject(schema: ObjectSchema, random: Random, ids: Ids): Json {
  const { properties = {}, required = [], oneOf = [], dependentRequired = {} } = schema
  const chosen = oneOf.length > 0 ? random.pick(oneOf).required : []
  const needed = [...required, ...chosen, ...chosen.flatMap((name) => dependentRequired[name] ?? [])]
  const alternatives = oneOf.flatMap((each) => each.required)
  const members = Object.entries(properties).filter(
    ([name]) => needed.includes(name) || (!alternatives.includes(name) && random.below(2) === 0),
  )
  return Object.fromEntries(members.map(([name, each]) => [name, validValue(each, random, ids, name)]))
}

function validString(schema: JsonSchema, random: Random, ids: readonly string[] | undefined): string {
  if (ids) return random.pick(ids)
  // Most values are different, so that unique fields mostly are.
  const unique = fittingOf(schema, ['Text', 'a@nordwind.example'])
  const isDay = schema.format === 'date'
  if ((unique.length === 0 && !isDay) || random.below(4) === 0) return random.pick(fittingOf(schema, strings))
  if (isDay) return timestamp(++made * dayMs).slice(0, 10)
  return random.pick(unique).replace(/^\w+/, `$&${++made}`)
}

const fitting = new Map<string, unknown[]>()

/** The values that are valid by the schema. */
function fittingOf<T>(schema: JsonSchema, values: readonly T[]): T[] {
  const key = JSON.stringify([values.length, schema])
  const found = fitting.get(key) ?? values.filter((value) => isValid(schema, value))
  fitting.set(key, found)
  return found as T[]
}

/** The body with one value, at any depth, replaced, removed, padded or added. */
export function mutated(body: unknown, random: Random): unknown {
  const path = random.pick(pathsOf(body))
  const change = random.below(8)
  if (change === 0) return withValue(body, path, undefined)
  if (change === 1) return withValue(body, [...path.slice(0, -1), 'unknown'], random.pick(others))
  if (change === 2)
    return withValue(body, path, (value: unknown) => (typeof value === 'string' ? ` ${value}\n` : value))
  return withValue(body, path, junk(random))
}

function junk(random: Random): unknown {
  return random.pick(random.pick<readonly unknown[]>([strings, strings, strings, others, nested, [null, '', ' ']]))
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))]
}

/** `undefined` removes the value; a function gets the current value. */
function withValue(body: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return typeof value === 'function' ? value(body) : (value ?? {})
  if (typeof body !== 'object' || body === null) return body
  const copy: Json = Array.isArray(body) ? ([...body] as unknown as Json) : { ...body }
  if (rest.length === 0 && value === undefined) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1)
    else delete copy[key]
  } else copy[key] = withValue(copy[key], rest, value)
  return copy
}

/** Trims all strings: the schemas describe strings without surrounding white space (decision B6). */
export function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(trimmed)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, trimmed(each)]))
}
