import type { Row } from '../../engine/records/definition/change.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import type { UndoEntry } from '../logged.ts'
import { derivedIn, formerOf, formerUnshown } from '../show.ts'
import type { RecordStep } from './select.ts'

/** What undoing some changes of a record means. */
export interface Plan {
  /** Whether the record must be deleted or restored; undefined: neither. */
  readonly existence: 'delete' | 'restore' | undefined
  /** The values that fields had before, as in a response, by name. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The same with the values that fields have again by now, those of derived fields, and those of unshown columns. */
  readonly former: Readonly<Record<string, unknown>>
  /** The fields in `former` that are not undone by themselves, because they are derived. */
  readonly derived: readonly string[]
  /** The values that unshown columns had before. */
  readonly unshown: Readonly<Row>
  /** The fields that were changed again since. */
  readonly keptFields: readonly string[]
  /** Why nothing can be undone, if so. */
  readonly kept: string | undefined
  /** Whether the record was not there before, and is not there. */
  readonly staysGone?: boolean
}

/** What is undone of a record. */
export interface Planned {
  entry: UndoEntry
  plan: Plan
  /** The newest change of the record when it was planned. */
  newest: number
}

/** The changes of one record: all from the first selected one on, oldest first, and the numbers of the selected ones. */
interface Selection {
  readonly changes: readonly RecordStep[]
  readonly selected: ReadonlySet<number>
  /** Whether to undo also what was changed again since by a change that is not selected. */
  readonly force: boolean
  /** The former values of a change, as JSON; null: it has none. They are read one by one, because they may be long. */
  readonly previousOf: (seq: number) => string | null
  /** Reads the values that the record has now, as in a response. */
  readonly current: () => Readonly<Record<string, unknown>>
  /** The fields that follow other records now. Their values are no longer these once the others are undone. */
  readonly following: () => readonly string[]
  /** By name, the field that a field goes with (`goesWith`). */
  readonly goesWith: Readonly<Record<string, string>>
}

/** Plans to undo the selected changes of a record (decision G12). */
export function planUndo(selection: Selection): Plan {
  const existence = planExistence(selection)
  const none = { fields: {}, former: {}, derived: [], unshown: {}, keptFields: [] }
  if (typeof existence === 'object') return { existence: undefined, ...none, ...existence }
  if (existence === 'delete') return { existence, ...none, kept: undefined }
  const { shown, unshown } = valuesBefore(selection)
  const current = selection.current()
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(current[name]) !== JSON.stringify(value) || selection.following().includes(name)
  const fields = Object.fromEntries(Object.entries(shown.values).filter(isOther))
  const isUndone = (name: string | undefined) => name !== undefined && Object.hasOwn(shown.values, name)
  const keptFields = [...shown.kept].filter((name) => !isUndone(name) && !isUndone(selection.goesWith[name]))
  const isEmpty = existence === undefined && Object.keys(fields).length === 0
  return {
    existence,
    fields,
    former: { ...unshown.former, ...shown.former },
    derived: Object.keys(shown.former).filter((name) => !Object.hasOwn(shown.values, name)),
    unshown: unshown.values,
    keptFields,
    kept: isEmpty ? whyEmpty(keptFields, shown.isDerived) : undefined,
  }
}

/** A plan that keeps the links without which a record would name one that it has no link to: whom `contact_id` names is among the people. */
export function keepingNamed(plan: Plan, { links }: Resource, row: () => Row | undefined): Plan {
  const isNamedMissing = ([name, { first }]: [string, { first: string }]) => {
    const linked = plan.fields[name] as readonly { id: string }[] | undefined
    const named = linked && (Object.hasOwn(plan.fields, first) ? plan.fields[first] : row()?.[first])
    return typeof named === 'string' && !linked!.some(({ id }) => id === named)
  }
  const kept = Object.entries(links).filter(isNamedMissing)
  return keeping(
    plan,
    kept.map(([name]) => name),
    changedSince,
  )
}

/** A plan that keeps `fields`, by default because they follow other records now; the plan itself if it would undo none of them. */
export function keeping(plan: Plan, fields: readonly string[], why = followsOthers): Plan {
  const kept = fields.filter((name) => Object.hasOwn(plan.fields, name))
  if (kept.length === 0) return plan
  const others = Object.fromEntries(Object.entries(plan.fields).filter(([name]) => !kept.includes(name)))
  const isEmpty = plan.existence === undefined && Object.keys(others).length === 0
  return {
    ...plan,
    fields: others,
    keptFields: [...plan.keptFields, ...kept],
    kept: isEmpty ? why : undefined,
  }
}

export const followsOthers = 'Its fields follow from other records'
export const flagTaken = 'Another record has its flag since'
const unchanged = 'It is already as it was before'
const changedSince = 'Its fields were changed again since'

function whyEmpty(keptFields: readonly string[], isDerived: boolean): string {
  if (keptFields.length > 0) return changedSince
  return isDerived ? followsOthers : unchanged
}

/** By name, values before the selected changes that no other change follows, and the names that another one has changed since. */
class Before<V> {
  readonly values: Record<string, V> = {}
  /** The same with the values of derived fields. */
  readonly former: Record<string, V> = {}
  readonly kept = new Set<string>()
  readonly #changedSince: Set<string>
  readonly #goesWith: Selection['goesWith']
  /** Whether values of derived fields were left out. */
  isDerived = false

  /** `changedSince`: the names of all fields that another change has changed since. */
  constructor(changedSince: Set<string>, goesWith: Selection['goesWith']) {
    this.#changedSince = changedSince
    this.#goesWith = goesWith
  }

  /** Takes the former values of the next older change. */
  take(former: Readonly<Record<string, V>>, derived: readonly string[], isSelected: boolean, force: boolean): void {
    for (const [name, value] of Object.entries(former)) {
      const follows = derived.includes(name)
      if (isSelected && follows) this.isDerived = true
      if (!isSelected) this.#changedSince.add(name)
      else if (force || !this.#isChangedSince(name)) this.#give(name, value, follows)
      else if (!follows) this.kept.add(name)
    }
  }

  #give(name: string, value: V, follows: boolean): void {
    this.former[name] = value
    if (!follows) this.values[name] = value
  }

  #isChangedSince(name: string): boolean {
    return [name, this.#goesWith[name]].some((each) => each !== undefined && this.#changedSince.has(each))
  }
}

function valuesBefore({ changes, selected, force, previousOf, goesWith }: Selection) {
  const changedSince = new Set<string>()
  const shown = new Before<unknown>(changedSince, goesWith)
  const unshown = new Before<Row[string]>(changedSince, goesWith)
  for (const { seq, type } of changes.toReversed()) {
    const previous = verbOf(type) === 'restored' && !selected.has(seq) ? null : previousOf(seq)
    if (previous === null) continue
    const derived = derivedIn(previous)
    shown.take(formerOf(previous), derived, selected.has(seq), force)
    unshown.take(formerUnshown(previous), derived, selected.has(seq), force)
  }
  return { shown, unshown }
}

const turning = ['created', 'deleted', 'restored', 'erased']

function planExistence({
  changes,
  selected,
  force,
}: Selection): Plan['existence'] | { kept: string; staysGone?: true } {
  const turns = changes.filter(({ type }) => turning.includes(verbOf(type))).reverse()
  const [newest] = turns
  if (!newest) return undefined
  if (verbOf(newest.type) === 'erased') return { kept: 'The record has been erased' }
  const exists = ['created', 'restored'].includes(verbOf(newest.type))
  const first = turns.findIndex(({ seq }) => !selected.has(seq))
  const undone = force || first === -1 ? turns.filter(({ seq }) => selected.has(seq)) : turns.slice(0, first)
  const oldest = undone.at(-1)
  const existed = oldest ? verbOf(oldest.type) === 'deleted' : exists
  if (existed && exists) return undefined
  if (existed) return 'restore'
  if (!exists) return { kept: selected.has(newest.seq) ? unchanged : 'The record was deleted since', staysGone: true }
  const isChanged = changes.some(({ seq }) => seq > oldest!.seq && !selected.has(seq))
  return isChanged && !force ? { kept: `The record was changed since it was ${verbOf(oldest!.type)}` } : 'delete'
}

function verbOf(type: string): string {
  return type.slice(type.indexOf('.') + 1)
}
