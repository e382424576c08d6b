import { survives } from '../../../lib/exact-json.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'

export type Metadata = Record<string, unknown>

/** A name and a value as typed. */
export interface Entry {
  name: string
  text: string
  /** The original text and value: unchanged text keeps its type. */
  was?: unknown
}

/** The entries that an input shows, including incomplete ones. */
export function entriesOf(metadata: unknown): readonly Entry[] {
  if (metadata instanceof Invalid) return metadata.input as Entry[]
  return Object.entries(metadata as Metadata).map(([name, was]) => ({ name, text: textOf(was), was }))
}

/** Entries without a name and a value are ignored. */
export function metadataOf(entries: readonly Entry[]): Metadata | Invalid {
  const wrong = entries.map((entry) => faultOf(entry, entries)).find((each) => each !== undefined)
  if (wrong) return new Invalid('', t('Metadata: {wrong}', { wrong }), { input: entries })
  return valuesOf(entries)
}

/** The values of the entries that have a name. */
export function valuesOf(entries: readonly Entry[]): Metadata {
  return Object.fromEntries(entries.filter(({ name }) => name !== '').map((entry) => [entry.name, meantBy(entry)]))
}

/** Changes the value of one name; undefined removes it. */
export function withValue(metadata: unknown, name: string, value: unknown): Metadata | Invalid {
  const others = entriesOf(metadata).filter((entry) => entry.name !== name)
  return metadataOf(value === undefined ? others : [...others, { name, text: textOf(value), was: value }])
}

/** The error of an entry. One that was just added has none yet. */
export function faultOf(entry: Entry, entries: readonly Entry[]): string | undefined {
  const isBlank = entry.text === '' && entry.was === undefined
  if (entry.name === '') return isBlank ? undefined : t('Enter a name')
  const first = entries.find(({ name }) => name === entry.name)
  return first === entry ? undefined : t('An entry with this name already exists')
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The value of an entry. A number, flag or list keeps its type while its text is JSON with exact numbers. Other values are text. */
function meantBy({ text, was }: Entry): unknown {
  if (was === undefined || typeof was === 'string') return text
  if (text === textOf(was)) return was
  let isKept = true
  try {
    const value = JSON.parse(text, (_, each: unknown, context?: { source?: string }) => {
      if (typeof each === 'number' && context?.source && !survives(context.source)) isKept = false
      return each
    })
    return isKept ? value : text
  } catch {
    return text
  }
}
