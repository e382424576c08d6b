import { entriesOf, valuesOf, withValue } from './metadata.ts'

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
export function settle<T extends Values>(values: T, conflict: Conflict, side: Side): T {
  const { name } = conflict
  const value = conflict[side]
  if (name === 'value' && isMoney(values)) return { ...values, ...(value as Money) }
  if (!name.startsWith(metadataPrefix)) return { ...values, [name]: value }
  return { ...values, metadata: withValue(values.metadata, name.slice(metadataPrefix.length), value) }
}

/** After an edit: what was typed anew in the field of a conflict is mine, and chosen. */
export function retyped(conflicts: readonly Conflict[], before: Values, after: Values): readonly Conflict[] {
  const [was, now] = [flat(before), flat(after)]
  return conflicts.map((each) =>
    isSame(was[each.name], now[each.name]) ? each : { ...each, mine: now[each.name], choice: 'mine' },
  )
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

/** An amount means nothing without its currency: the two are chosen together. */
interface Money {
  value: unknown
  currency: unknown
}

function isMoney(values: Values): boolean {
  return 'value' in values && 'currency' in values
}

/** Each entry of the metadata as a value of its own, and an amount with its currency as one. */
function flat({ metadata, ...values }: Values): Values {
  const { value, currency, ...others } = values
  const entries = metadata === undefined ? {} : valuesOf(entriesOf(metadata))
  return {
    ...(isMoney(values) ? { ...others, value: { value, currency } } : values),
    ...Object.fromEntries(Object.entries(entries).map(([name, each]) => [metadataPrefix + name, each])),
  }
}
