import type { Field } from '../../src/engine/definition/define.ts'
import type { DetailCode } from '../../src/errors.ts'
import type { Client } from './client.ts'
import { make } from './make.ts'

/** What a field does not take, and the code of the detail about it. */
export interface Refused {
  value: unknown
  code: DetailCode
}

/** Mixed letter case, umlauts, the wildcards of `like`, and two that are equal letter case apart. */
export const texts = [
  'Nordstern',
  'apfelbaum',
  'Öko_Mühle',
  'APFELBAUM',
  '100% Obst',
  'back\\slash',
  'ärztehaus',
  'Zebra, rot',
]

const domains = ['nordstern.example', 'apfelbaum.example', 'muehle.example']
const addresses = domains.flatMap((domain) => [`grace@${domain}`, `Otto@${domain}`, `OTTO@${domain}`])
const moments = ['2026-07-01T08:00:00.000Z', '2026-07-02T00:00:00.000Z', '2026-07-02T23:59:59.999Z']

const blank = ['', ' \t\n']
const refusedTypes: Refused[] = [5, {}, []].map((value) => ({ value, code: 'INVALID_TYPE' }))
const noText: Refused[] = [true, ...refusedTypes.map(({ value }) => value)].map((value) => ({
  value,
  code: 'INVALID_TYPE',
}))
const noNumber: Refused[] = ['5', true, {}, ...blank].map((value) => ({ value, code: 'INVALID_TYPE' }))
/** Valid for text only (decision B6). */
const blanks = (code: DetailCode): Refused[] => blank.map((value) => ({ value, code }))

const patterns: Record<string, string[]> = {
  currency: ['EUR', 'CHF', 'USD'],
  color: ['#64748b', '#00ff7f', '#abcdef'],
}

interface Samples {
  valid: (field: Field) => unknown[]
  refused: Refused[]
}

const kinds: Record<string, Samples> = {
  text: { valid: () => texts, refused: noText },
  email: { valid: () => addresses, refused: [...noText, { value: 'grace@', code: 'INVALID_FORMAT' }] },
  choice: {
    valid: optionsOf,
    refused: [...noText, { value: 'no such', code: 'INVALID_VALUE' }, ...blanks('INVALID_VALUE')],
  },
  flag: {
    valid: (field) => [!defaultOf(field), defaultOf(field)],
    refused: ['true', 1, 0, [], ...blank].map((value) => ({ value, code: 'INVALID_TYPE' })),
  },
  reference: {
    valid: () => [],
    refused: [...noText, { value: 'no-uuid', code: 'INVALID_FORMAT' }, ...blanks('INVALID_FORMAT')],
  },
  metadata: {
    valid: () => [{ source: 'fair' }, { tags: ['a', null, 1.5, { deep: true }] }, { ümlaut: '"' }],
    refused: [[], 'text', 5, true, ...blank].map((value) => ({ value, code: 'INVALID_TYPE' })),
  },
  number: { valid: () => [1, 2.5, 40, 100], refused: noNumber },
  position: {
    valid: () => [0, 1, 2],
    refused: [...noNumber, ...[-1, 1.5, 2 ** 53].map((value): Refused => ({ value, code: 'OUT_OF_RANGE' }))],
  },
  pattern: {
    valid: ({ name }) => patterns[name]!,
    refused: [
      ...noText,
      ...['euro', '#12345g', 'x', ...blank].map((value): Refused => ({ value, code: 'INVALID_FORMAT' })),
    ],
  },
  date: {
    valid: () => ['2026-07-01', '2026-02-28', '2027-01-01'],
    refused: [...noText, { value: '2026-02-30', code: 'INVALID_FORMAT' }, ...blanks('INVALID_FORMAT')],
  },
  choices: {
    valid: () => [['read:all'], ['read:contacts', 'write:contacts'], ['admin:all']],
    refused: [
      ...noText.filter(({ value }) => !Array.isArray(value)),
      ...blanks('INVALID_TYPE'),
      ...[[], ['no such'], [5]].map((value): Refused => ({ value, code: 'INVALID_VALUE' })),
    ],
  },
  timestamp: {
    valid: () => moments,
    refused: [...noText, { value: 'soon', code: 'INVALID_FORMAT' }, ...blanks('INVALID_FORMAT')],
  },
}

/** Valid values that answers give back as they are; for a reference, the ids of new records. */
export async function validOf(client: Client, field: Field): Promise<unknown[]> {
  const { target } = field
  if (!target) return sampleOf(field)
  return [(await make(client, target.name)).id, (await make(client, target.name)).id]
}

/** Valid values of a field that refers to nothing. */
export function sampleOf(field: Field): unknown[] {
  return kindOf(field).valid(field)
}

export function refusedOf(field: Field): Refused[] {
  return kindOf(field).refused
}

/** The words of an enumeration, in the order of their ranks. */
export function optionsOf({ filter }: Field): string[] {
  return filter!.expected.replace('one of: ', '').split(', ')
}

/** What a new record has where its body names no value, as JSON (decision B6). */
export function defaultOf(field: Field): unknown {
  if (field.kind === 'flag') return field.default === 1
  if (field.kind === 'metadata') return {}
  return field.default ?? null
}

function kindOf({ name, kind }: Field): Samples {
  const samples = kinds[kind]
  if (!samples) throw new Error(`${name} is of kind ${kind}, which test/support/samples.ts does not know`)
  return samples
}
