import { defaultOf } from '../../src/engine/api/openapi/shapes.ts'
import type { Field } from '../../src/engine/records/define.ts'
import type { DetailCode } from '../../src/errors.ts'
import type { Client } from './client.ts'
import { make } from './make.ts'

/** A value that a field rejects, and the code of the detail about it. */
export interface Refused {
  value: unknown
  code: DetailCode
}

/** Texts in upper and lower case, with umlauts and wildcards of `like`, and two that are equal case-insensitively. */
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

const refused = (code: DetailCode, ...values: unknown[]): Refused[] => values.map((value) => ({ value, code }))

const blank = ['', ' \t\n']
const noText = refused('INVALID_TYPE', true, 5, {}, [])
const noNumber = refused('INVALID_TYPE', '5', true, {}, ...blank)

/** Values that only the key of a user may send: test/features/views/views-personal.test.ts. */
const forUsers: Readonly<Record<string, readonly string[]>> = { visibility: ['personal'] }

interface Samples {
  valid: (field: Field) => readonly unknown[]
  /** Blanks are valid for text only (decision B6). */
  refused: (field: Field) => Refused[]
}

const kinds: Record<string, Samples> = {
  text: {
    valid: ({ input }) => texts.filter((text) => new RegExp(String(input?.pattern ?? '')).test(text)),
    refused: () => noText,
  },
  email: { valid: () => addresses, refused: () => [...noText, ...refused('INVALID_FORMAT', 'grace@')] },
  choice: {
    valid: ({ name, options }) => options!.filter((option) => !forUsers[name]?.includes(option)),
    refused: () => [...noText, ...refused('INVALID_VALUE', 'no such', ...blank)],
  },
  choices: {
    valid: ({ options }) => [options!.slice(0, 1), options!.slice(1, 3), options!.slice(-1)],
    refused: () => [
      ...refused('INVALID_TYPE', true, 5, {}, ...blank),
      ...refused('INVALID_VALUE', [], ['no such'], [5]),
    ],
  },
  names: {
    valid: ({ examples }) => examples!,
    refused: () => [
      ...refused('INVALID_TYPE', true, 5, {}, ...blank),
      ...refused('INVALID_FORMAT', ['no name'], [5]),
      ...refused('INVALID_VALUE', [], ['created_at', 'created_at']),
    ],
  },
  texts: {
    valid: ({ examples }) => examples ?? [['low', 'high'], ['Ö'], ['a, b', 'c']],
    refused: () => [...refused('INVALID_TYPE', true, 5, {}, ...blank), ...refused('INVALID_VALUE', [''], ['a', ' '])],
  },
  mailbox: { valid: () => addresses, refused: () => noText },
  mailboxes: { valid: () => [[]], refused: () => noText },
  ids: { valid: () => [[]], refused: () => refused('INVALID_TYPE', true, 5, {}, ...blank) },
  flag: {
    valid: (field) => (defaultOf(field) === true ? [false, true] : [true, false]),
    refused: () => refused('INVALID_TYPE', 'true', 1, 0, [], ...blank),
  },
  reference: {
    valid: () => ['01890a5d-ac96-774b-bcce-b302099a8057'],
    refused: () => [...noText, ...refused('INVALID_FORMAT', 'no-uuid', ...blank)],
  },
  metadata: {
    valid: () => [{ source: 'fair' }, { tags: ['a', null, 1.5, { deep: true }] }, { ümlaut: '"' }],
    refused: () => refused('INVALID_TYPE', [], 'text', 5, true, ...blank),
  },
  number: {
    valid: (field) => [1, 2.5, 40, 100].filter((value) => isInRange(field, value) && isOfType(field, value)),
    refused: (field) => [
      ...noNumber,
      ...refused('OUT_OF_RANGE', ...[-1, 101, -1e300, 1e300].filter((value) => !isInRange(field, value))),
    ],
  },
  position: { valid: () => [0, 1, 2], refused: () => [...noNumber, ...refused('OUT_OF_RANGE', -1, 1.5, 2 ** 53)] },
  pattern: {
    valid: ({ examples }) => examples!,
    refused: ({ shape, input }) => {
      const accepts = [shape, input].map((each) => new RegExp(String(each?.pattern)))
      const others = ['euro', '#12345g', 'x', '?', ...blank].filter(
        (text) => !accepts.some((form) => form.test(text.trim())),
      )
      return [...noText, ...refused('INVALID_FORMAT', ...others)]
    },
  },
  date: {
    valid: () => ['2026-07-01', '2026-02-28', '2027-01-01'],
    refused: () => [...noText, ...refused('INVALID_FORMAT', '2026-02-30', ...blank)],
  },
  timestamp: { valid: () => moments, refused: () => [...noText, ...refused('INVALID_FORMAT', 'soon', ...blank)] },
}

function isOfType({ shape }: Field, value: number): boolean {
  return shape.type !== 'integer' || Number.isInteger(value)
}

function isInRange({ shape }: Field, value: number): boolean {
  return value >= Number(shape.minimum ?? -Infinity) && value <= Number(shape.maximum ?? Infinity)
}

/** Valid values that responses return as they are; for a reference, the ids of new records. */
export async function validOf(client: Client, field: Field): Promise<readonly unknown[]> {
  const { target } = field
  if (!target) return sampleOf(field)
  return [(await make(client, target.name)).id, (await make(client, target.name)).id]
}

/** Valid values of a field that is not a reference. */
export function sampleOf(field: Field): readonly unknown[] {
  return samplesOf(field).valid(field)
}

export function refusedOf(field: Field): Refused[] {
  return samplesOf(field).refused(field)
}

function samplesOf({ name, kind }: Field): Samples {
  const samples = kinds[kind]
  if (!samples) throw new Error(`${name} is of kind ${kind}, which test/support/samples.ts does not know`)
  return samples
}
