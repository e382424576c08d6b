import { ApiError } from '../../../errors.ts'
import type { RecordChange } from '../../../features/proposals/changes.ts'
import { post, request, type SharedRequest } from '../data/http.ts'
import { titleOf } from '../data/resource-views.ts'
import { isConfirmed } from '../parts/dialog.tsx'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'

/** What an agent wants to change. */
export interface Proposal {
  id: string
  key_id: string
  client: string | null
  tool: string
  changes: RecordChange[]
  changes_total: number
  status: 'open' | 'applied' | 'rejected'
  decided_by: string | null
  decided_at: string | null
  request_id: string | null
  created_at: string
}

const path = (id: string, action: string) => `/api-v1-proposals/${id}/${action}`

/**
 * Applies a proposal, or some of its fields. Asks if the records have changed since; undefined: the user does not want it then. `shared`: of
 * several that are one undo.
 */
export async function applyProposal(
  { id }: Proposal,
  fields?: readonly string[],
  shared?: SharedRequest,
): Promise<Proposal | undefined> {
  const send = (body: object) => request<Proposal>('POST', path(id, 'apply'), { body, ...shared })
  const body = { ...(fields && { fields }) }
  try {
    return await send(body)
  } catch (error) {
    if (!isOutdated(error)) throw error
    const isWanted = await isConfirmed({ title: t('Apply anyway?'), body: error.message, verb: t('Apply anyway') })
    return isWanted ? send({ ...body, force: true }) : undefined
  }
}

function isOutdated(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'CONFLICT' && error.details?.[0]?.field === 'changes'
}

/** Whether a decision has changed what an undo takes back. Activities are never deleted. */
export function isUndoable({ tool, status }: Proposal): boolean {
  return status === 'applied' && tool !== 'log_activity'
}

export function rejectProposal({ id }: Proposal): Promise<Proposal> {
  return post<Proposal>(path(id, 'reject'))
}

/** The fields that can be applied one by one; none: all or nothing. */
export function choosable({ tool, changes, changes_total }: Proposal): readonly string[] {
  const [change] = changes
  if (tool !== 'save_record' || changes_total !== 1 || !change || /\.(?:created|deleted)$/.test(change.type)) return []
  const names = Object.keys(change.fields)
  return names.length > 1 ? names : []
}

/** What a changed record is called: a new one as in its list, such as an activity by its subject. */
export function nameOf({ type, title, fields }: RecordChange): string {
  const [resource = '', verb] = type.split('.')
  if (verb !== 'created' || !resourceOf(resource)) return title || t('Untitled')
  return titleOf(resource, {
    id: '',
    ...Object.fromEntries(Object.entries(fields).map(([name, { after }]) => [name, after])),
  })
}
