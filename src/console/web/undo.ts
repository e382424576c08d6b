import { type Undone, type UndoReport, undo } from './changes.ts'
import { plural, word } from './format.ts'
import { isGone, writeOf } from './http.ts'
import { tell } from './news.ts'
import { notify } from './parts/notes.tsx'
import { fieldOf, resourceOf } from './session.ts'

/** Shows a notification of a change with a button to undo it. `returned`: what the request of the change returned. */
export function notifyChange(text: string, returned: unknown, verb = 'Undo'): void {
  const request_id = writeOf(returned)
  notify(text, request_id && { label: verb, run: () => undoRequest(request_id, verb) })
}

async function undoRequest(request_id: string, verb: string): Promise<void> {
  try {
    reportUndo(await undo({ request_id }), verb === 'Redo')
  } catch (error) {
    notify(isGone(error) ? 'There is nothing to undo.' : `Not undone: ${(error as Error).message}`)
  }
}

/** Shows what was undone and what was not, and reloads what is shown. `isRedo`: an undo was undone. */
export function reportUndo(report: UndoReport, isRedo = false): void {
  const undone = report.reversed.length > 0 && report
  notifyChange(summaryOf(report, isRedo ? 'Redone' : 'Undone'), undone, isRedo ? 'Undo' : 'Redo')
  tell('undone')
}

/** Why a record is kept that a merge has not changed. */
const unchanged = 'It is already as it was before'

/** What an undo did, in a sentence or two. */
function summaryOf({ reversed, kept, errored }: UndoReport, done: string): string {
  const others = reversed.length > 0 ? kept.filter(({ message }) => message !== unchanged) : kept
  const left = [...others, ...errored]
  if (reversed.length === 0) return `Nothing was ${done.toLowerCase()}: ${reasonsOf(left)}.`
  const fields = keptFieldsText(reversed)
  const isOne = reversed.length === 1 && left.length === 0
  const parts = [
    isOne ? `${done}.` : `${plural(reversed.length, 'record')} ${done.toLowerCase()}.`,
    fields !== '' && `Kept, because changed again since: ${fields}.`,
    left.length > 0 && `${plural(left.length, 'record')} not ${done.toLowerCase()}: ${reasonsOf(left)}.`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** The different reasons why records are not undone. */
export function reasonsOf(left: readonly Undone[]): string {
  return [...new Set(left.map(({ message }) => message?.replace(/\.$/, '')))].join('; ')
}

/** The fields that keep their values in spite of an undo; '' if there are none. */
export function keptFieldsText(reversed: readonly Undone[]): string {
  const names = reversed.flatMap(({ resource, kept_fields }) => kept_fields.map((name) => fieldLabel(resource, name)))
  return [...new Set(names)].join(', ')
}

/** The label of a field, or of a contact's emails and phones. */
export function fieldLabel(resource: string, name: string): string {
  return fieldOf(resource, name)?.label ?? word(name)
}

/** `12 contacts`, `1 deal` */
export function countText(resource: string, count: number): string {
  const { label, plural: many } = resourceOf(resource)
  return plural(count, label.toLowerCase(), many.toLowerCase())
}

/** `3 contacts, 1 deal` */
export function countsText(of: readonly Undone[]): string {
  const groups = [...Map.groupBy(of, ({ resource }) => resource)]
  return groups.map(([resource, each]) => countText(resource, each.length)).join(', ')
}
