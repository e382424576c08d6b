import { Invalid } from './invalid.ts'

export type Values = Readonly<Record<string, unknown>>

/** A value that somebody else changed while a form was open. */
export interface Conflict {
  /** The field's name; of one entry of the metadata: `metadata.source`. */
  name: string
  mine: unknown
  theirs: unknown
  /** What the form goes on with; undefined where both changed it and nobody has chosen yet. */
  choice: Side | undefined
}

export type Side = 'mine' | 'theirs'

const metadataPrefix = 'metadata.'

/** What differs between `base`, which the form began with, and `theirs`, which is stored now, and is not what `mine` says, too. */
export function conflictsOf(base: Values, mine: Values, theirs: Values): Conflict[] {
  const [was, own, now] = [flat(base), flat(mine), flat(theirs)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(own), ...Object.keys(now)])]
  return names
    .filter((name) => !isSame(was[name], now[name]) && !isSame(own[name], now[name]))
    .map((name) => ({
      name,
      mine: own[name],
      theirs: now[name],
      choice: isSame(was[name], own[name]) ? 'theirs' : undefined,
    }))
}

/** The values with one side of a conflict in them. */
export function settle<T extends Values>(values: T, { name, mine, theirs }: Conflict, side: Side): T {
  const value = side === 'mine' ? mine : theirs
  if (!name.startsWith(metadataPrefix)) return { ...values, [name]: value }
  const { [name.slice(metadataPrefix.length)]: _, ...others } = values.metadata as Values
  const metadata = value === undefined ? others : { ...others, [name.slice(metadataPrefix.length)]: value }
  return { ...values, metadata }
}

/** What of `values` is not as in `base`. */
export function changesOf<T extends Values>(base: T, values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(base[name], value))) as Partial<T>
}

/** References are compared by their id: what they are called may have changed. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(idOf(a)) === JSON.stringify(idOf(b))
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** Each entry of the metadata as a value of its own. */
function flat({ metadata, ...values }: Values): Values {
  if (typeof metadata !== 'object' || metadata === null || metadata instanceof Invalid) return values
  const entries = Object.entries(metadata).map(([name, value]) => [metadataPrefix + name, value])
  return { ...values, ...Object.fromEntries(entries) }
}
