import type { Row } from '../../engine/definition/change.ts'
import { formerOf, formerUnshown } from '../show.ts'
import type { StoredChange } from '../stored-change.ts'

/** What undoing some changes of a record means. */
export interface Plan {
  /** Whether the record must be deleted or restored; undefined: neither. */
  readonly existence: 'delete' | 'restore' | undefined
  /** The values that fields had before, as in a response, by name. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The values that unshown columns had before. */
  readonly unshown: Readonly<Row>
  /** The fields that were changed again since. */
  readonly keptFields: readonly string[]
  /** Why nothing can be undone, if so. */
  readonly kept: string | undefined
}

/** The changes of one record: all from the first selected one on, oldest first, and the numbers of the selected ones. */
export interface Selection {
  readonly changes: readonly StoredChange[]
  readonly selected: ReadonlySet<number>
  /** Whether to undo also what was changed again since by a change that is not selected. */
  readonly force: boolean
  /** The values that the record has now, as in a response. */
  readonly current: Readonly<Record<string, unknown>>
}

/** Plans to undo the selected changes of a record (decision G12). */
export function planUndo(selection: Selection): Plan {
  const existence = planExistence(selection)
  const none = { fields: {}, unshown: {}, keptFields: [] }
  if (typeof existence === 'object') return { existence: undefined, ...none, ...existence }
  if (existence === 'delete') return { existence, ...none, kept: undefined }
  const { fields, keptFields } = planFields(selection)
  const { values: unshown } = valuesBefore(selection, formerUnshown)
  const isEmpty = existence === undefined && Object.keys(fields).length === 0
  return { existence, fields, unshown, keptFields, kept: isEmpty ? whyEmpty(keptFields) : undefined }
}

function whyEmpty(keptFields: readonly string[]): string {
  return keptFields.length > 0 ? 'Its fields were changed again since' : 'It is already as it was before'
}

function planFields(selection: Selection): Pick<Plan, 'fields' | 'keptFields'> {
  const { values, kept } = valuesBefore(selection, formerOf)
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(selection.current[name]) !== JSON.stringify(value)
  return {
    fields: Object.fromEntries(Object.entries(values).filter(isOther)),
    keptFields: [...kept].filter((name) => !Object.hasOwn(values, name)),
  }
}

/** By name, the value before the selected changes that no other change follows, and the names that another one has changed since. */
function valuesBefore<V>(
  { changes, selected, force }: Selection,
  read: (previous: string) => Readonly<Record<string, V>>,
): { values: Record<string, V>; kept: ReadonlySet<string> } {
  const values: Record<string, V> = {}
  const changedSince = new Set<string>()
  const kept = new Set<string>()
  for (const { seq, previous, type } of changes.toReversed()) {
    if (previous === null || verbOf(type) === 'restored') continue
    for (const [name, value] of Object.entries(read(previous))) {
      if (!selected.has(seq)) changedSince.add(name)
      else if (force || !changedSince.has(name)) values[name] = value
      else kept.add(name)
    }
  }
  return { values, kept }
}

const turning = ['created', 'deleted', 'restored', 'erased']

function planExistence({ changes, selected, force }: Selection): Plan['existence'] | { kept: string } {
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
  if (!exists) return { kept: 'The record was deleted since' }
  const isChanged = changes.some(({ seq }) => seq > oldest!.seq && !selected.has(seq))
  return isChanged && !force ? { kept: `The record was changed since it was ${verbOf(oldest!.type)}` } : 'delete'
}

function verbOf(type: string): string {
  return type.slice(type.indexOf('.') + 1)
}
