import { survives } from '../../engine/write/exact-numbers.ts'
import { Invalid } from './invalid.ts'

export type Metadata = Record<string, unknown>

/** A name and a value as they are typed. */
export interface Entry {
  name: string
  text: string
  /** What the text was before it was changed: it keeps its type. */
  was?: unknown
}

/** What an input shows of metadata, also where some of it is no value yet. */
export function entriesOf(metadata: unknown): readonly Entry[] {
  if (metadata instanceof Invalid) return metadata.input as Entry[]
  return Object.entries(metadata as Metadata).map(([name, was]) => ({ name, text: textOf(was), was }))
}

/** Entries without a name and a value are none. */
export function metadataOf(entries: readonly Entry[]): Metadata | Invalid {
  const wrong = entries.map((entry) => faultOf(entry, entries)).find((each) => each !== undefined)
  if (wrong) return new Invalid('', `Metadata: ${wrong}`, { input: entries })
  return valuesOf(entries)
}

/** The values of the entries that have a name. */
export function valuesOf(entries: readonly Entry[]): Metadata {
  return Object.fromEntries(entries.filter(({ name }) => name !== '').map((entry) => [entry.name, meantBy(entry)]))
}

/** With another value for one name; undefined: without it. */
export function withValue(metadata: unknown, name: string, value: unknown): Metadata | Invalid {
  const others = entriesOf(metadata).filter((entry) => entry.name !== name)
  return metadataOf(value === undefined ? others : [...others, { name, text: textOf(value), was: value }])
}

/** An entry that was only just added lacks nothing yet. */
export function faultOf(entry: Entry, entries: readonly Entry[]): string | undefined {
  const isBlank = entry.text === '' && entry.was === undefined
  if (entry.name === '') return isBlank ? undefined : 'Enter a name'
  const first = entries.find(({ name }) => name === entry.name)
  return first === entry ? undefined : 'There is an entry of this name already'
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A number, flag or list stays what it is while its text is JSON, and every number in it can be kept; everything else is text. */
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
