import { ApiError } from '../../../errors.ts'
import { oneAtATime } from '../../../lib/one-at-a-time.ts'
import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import type { Values } from '../data/form-merge.ts'
import { patch, request, writeOf } from '../data/http.ts'
import { tellOwn } from '../data/news.ts'
import { newOnce, placeOf } from '../data/once.ts'
import type { Row } from '../data/resource-views.ts'
import { notify } from '../parts/notes.tsx'
import { allFields } from '../session/session.ts'
import { exactPercent } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** The probability of a deal in a stage of this kind. An open stage leaves it as it is. */
const probabilities: Readonly<Record<string, number>> = { won: 100, lost: 0 }

/** The first won and the first lost stage, of those that exist. */
export function outcomesOf(stages: readonly Row[]): Row[] {
  return ['won', 'lost'].flatMap((kind) => stages.find((stage) => stage.kind === kind) ?? [])
}

/** Whether a value of a form is a stage for lost deals. */
export function isLost(value: unknown): value is Choice {
  return isChoice(value) && value.kind === 'lost'
}

/** The fields that a deal needs to enter the stage of a form. `former`: the id of the stage that it is in. */
export function neededIn(stage: unknown, former: string | undefined): string[] {
  const requires = isChoice(stage) && stage.id !== former ? (stage.requires ?? []) : []
  return requires.map(fieldNameOf)
}

/** What a refused move lacks; none: it was refused for another reason, or needs what no form has. */
export function neededNames(refused: unknown): string[] {
  const details = refused instanceof ApiError ? (refused.details ?? []) : []
  const names = details.filter(({ code }) => code === 'REQUIRED').map(({ field }) => field)
  return names.length === details.length && names.every(neededField) ? names : []
}

/** The field that a form asks for. */
export function neededField(name: string): DescribedField | undefined {
  return allFields('deal').find((field) => field.name === fieldNameOf(name))
}

/** Of the people, the first one. */
function fieldNameOf(name: string): string {
  return name === 'people' ? 'contact_id' : name
}

/** What a stage of this kind also sets in a deal. */
export function probabilityIn(kind: string | undefined): { probability?: number } {
  const probability = probabilities[kind ?? '']
  return probability === undefined ? {} : { probability }
}

/** Runs the moves of each deal one after the other, by the ids of the deals. */
const queues = new Map<string, ReturnType<typeof oneAtATime>>()

/**
 * Moves a deal to a stage, after its earlier moves: the last one counts, however long each takes. A won or lost one gets its probability in the
 * same request, so one undo restores both.
 */
export function moveDeal({ id }: Row, to: Row): Promise<Row> {
  const { probability } = probabilityIn(to.kind)
  const shared = { requestId: newOnce() } // of this workspace: the page may show the other one when its turn comes
  const queue = queues.get(id) ?? oneAtATime()
  queues.set(id, queue)
  return queue(() =>
    probability === undefined
      ? patch<Row>(`/api-v1-deals/${id}/stage`, { stage_id: to.id }, undefined, shared)
      : patch<Row>(`/api-v1-deals/${id}`, { stage_id: to.id, probability }, undefined, shared),
  )
}

/** Moves a deal, as it was read by its id, to a stage together with other changes. */
export function moveChanged(deal: Row, to: Row, changes: Values): Promise<Row> {
  const body = { ...probabilityIn(to.kind), ...changes, stage_id: to.id }
  return patch<Row>(`/api-v1-deals/${deal.id}`, body, deal)
}

/** What a move did, for its notification. */
export function moveText({ title }: Row, to: Row): string {
  const { probability } = probabilityIn(to.kind)
  const more =
    probability === undefined ? '' : t(' Its probability is {probability}.', { probability: exactPercent(probability) })
  return t('{title} is in {name} now.{more}', { title, name: to.name, more })
}

/** Keeps the reason why a deal that was moved is in a stage as a note on the deal, and on its organization and contact unless they are deleted. Throws ApiError. */
export async function keepReason(deal: Row, stage: string, reason: string): Promise<void> {
  const { id } = deal
  const environment = placeOf(writeOf(deal))
  const path = `/api-v1-deals/${id}?include=organization,contact`
  const { organization, contact } = await request<Row>('GET', path, { environment })
  const note = { type: 'note', subject: t('{name}: the reason', { name: stage }), description: reason }
  const body = { ...note, deal_id: id, organization_id: organization?.id, contact_id: contact?.id }
  const kept = await request<Row>('POST', '/api-v1-activities', { body, environment })
  tellOwn('activity', kept.id)
}

/** Like `keepReason`, but shows an error as a notification. */
export async function noteReason(deal: Row, stage: string, reason: string): Promise<void> {
  try {
    await keepReason(deal, stage, reason)
  } catch (error) {
    notify(t('The reason was not kept: {message} It was: {reason}', { message: (error as Error).message, reason }))
  }
}
