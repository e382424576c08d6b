import { patch, post } from './http.ts'
import { tell } from './news.ts'
import { notify } from './parts/notes.tsx'
import type { Row } from './views.ts'

/** The probability of a deal in a stage of this kind. An open stage leaves it as it is. */
const probabilities: Readonly<Record<string, number>> = { won: 100, lost: 0 }

/** Moves a deal to a stage. A won or lost one gets its probability in the same request, so one undo restores both. */
export function moveDeal({ id }: Row, to: Row): Promise<Row> {
  const probability = probabilities[to.kind]
  if (probability === undefined) return patch<Row>(`/api-v1-deals/${id}/stage`, { stage_id: to.id })
  return patch<Row>(`/api-v1-deals/${id}`, { stage_id: to.id, probability })
}

/** What a move did, for its notification. */
export function moveText({ title }: Row, to: Row): string {
  const probability = probabilities[to.kind]
  const more = probability === undefined ? '' : ` Its probability is ${probability} %.`
  return `${title} is in ${to.name} now.${more}`
}

/** Keeps the reason of a move as a note on the deal. */
export async function noteReason(deal: Row, to: Row, reason: string): Promise<void> {
  const { id: deal_id, organization_id, contact_id } = deal
  const note = { type: 'note', subject: `${to.name}: the reason`, description: reason }
  try {
    const { id: record_id } = await post<Row>('/api-v1-activities', { ...note, deal_id, organization_id, contact_id })
    tell([{ type: 'activity.created', resource: 'activity', record_id, request_id: null }])
  } catch (error) {
    notify(`The reason was not kept: ${(error as Error).message} It was: ${reason}`)
  }
}
