import { type QueuedUndo, type Undone, type UndoReport, undo } from '../data/change-log.ts'
import { isGone, writeOf } from '../data/http.ts'
import { tell } from '../data/news.ts'
import { placeOf } from '../data/once.ts'
import { notify } from '../parts/notes.tsx'
import { fieldOf, resourceOf } from '../session/session.ts'
import { number, word } from '../text/format.ts'
import { serverText } from '../text/server-texts.ts'
import { counted, noun, t } from '../text/texts.ts'

/** Shows a notification of a change with a button to undo it. `returned`: what the request of the change returned. */
export function notifyChange(text: string, returned: unknown, verb = t('Undo')): void {
  notifyWrite(text, writeOf(returned), verb)
}

function notifyWrite(text: string, request_id: string | undefined, verb: string): void {
  const next = request_id && { label: verb, run: () => undoRequest(request_id, verb) }
  notify(text, next, placeOf(request_id))
}

async function undoRequest(request_id: string, verb: string): Promise<void> {
  try {
    reportUndo(await undo({ request_id }), verb === t('Redo'))
  } catch (error) {
    if (isGone(error)) return notify(t('There is nothing to undo.'))
    notifyWrite(t('Not undone: {message}', { message: (error as Error).message }), request_id, verb)
  }
}

/** Shows what was undone and what was not, or that a job does it, and reloads what is shown. `isRedo`: an undo was undone. */
export function reportUndo(report: UndoReport | QueuedUndo, isRedo = false): void {
  if ('job_id' in report) {
    notify(t('These are many changes: a job undoes them now.'))
    return
  }
  const undone = report.reversed.length > 0 && report
  notifyChange(summaryOf(report, isRedo), undone, isRedo ? t('Undo') : t('Redo'))
  tell('undone')
}

/** Why the server keeps a record that needs no undo beside the others: a merge has not changed it, or it follows them. */
const needless = ['It is already as it was before', 'Its fields follow from other records']

/** The records that are kept although an undo was wanted. */
export function keptBy({ reversed, kept }: UndoReport): Undone[] {
  return reversed.length > 0 ? kept.filter(({ message }) => !needless.includes(message ?? '')) : kept
}

/** What an undo did, in a sentence or two. */
function summaryOf(report: UndoReport, isRedo: boolean): string {
  const { reversed, errored } = report
  const left = [...keptBy(report), ...errored]
  const values = { records: recordsText(reversed), reasons: reasonsOf(left) }
  if (reversed.length === 0)
    return isRedo ? t('Nothing was redone: {reasons}.', values) : t('Nothing was undone: {reasons}.', values)
  const isOne = reversed.length === 1 && left.length === 0
  const parts = [
    isOne && (isRedo ? t('Redone.') : t('Undone.')),
    !isOne && (isRedo ? t('{records} redone.', values) : t('{records} undone.', values)),
    keptFieldsText(reversed),
    left.length > 0 && leftText(isRedo, { ...values, records: recordsText(left) }),
  ]
  return parts.filter(Boolean).join(' ')
}

function leftText(isRedo: boolean, values: { records: string; reasons: string }): string {
  return isRedo ? t('{records} not redone: {reasons}.', values) : t('{records} not undone: {reasons}.', values)
}

function recordsText(of: readonly Undone[]): string {
  return counted('{n} record|{n} records', of.length)
}

/** The different reasons why records are not undone. */
export function reasonsOf(left: readonly Undone[]): string {
  return [...new Set(left.map(({ message }) => serverText(message?.replace(/\.$/, '') ?? '')))].join('; ')
}

/** Which fields keep their values in spite of an undo; '' if none does. */
export function keptFieldsText(reversed: readonly Undone[]): string {
  const names = reversed.flatMap(({ resource, kept_fields }) => kept_fields.map((name) => fieldLabel(resource, name)))
  const fields = [...new Set(names)].join(', ')
  return fields && t('Kept, because changed again since or calculated: {fields}.', { fields })
}

/** The label of a field, or of a contact's emails and phones. Addresses and mailboxes for mail are not described. */
export function fieldLabel(resource: string, name: string): string {
  return (resourceOf(resource) && fieldOf(resource, name)?.label) ?? word(name)
}

/** `12 contacts`, `1 deal`; of what is not described, such as addresses for mail, `2 × Mail address`. */
export function countText(resource: string, count: number): string {
  const described = resourceOf(resource)
  if (!described) return `${number(count)} × ${word(resource)}`
  return `${number(count)} ${noun(count === 1 ? described.label : described.plural)}`
}

/** `3 contacts, 1 deal` */
export function countsText(of: readonly Undone[]): string {
  const groups = [...Map.groupBy(of, ({ resource }) => resource)]
  return groups.map(([resource, each]) => countText(resource, each.length)).join(', ')
}
