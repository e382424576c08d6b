import { findWorkspaceId } from '../access/company.ts'
import { showChanges } from '../changes/show.ts'
import { type StoredChange, selectStored } from '../changes/stored-change.ts'
import { resources } from '../crm/index.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const shownMax = 8
/** How many changes are looked through. Of a larger import, only the last ones are counted. */
const scannedMax = 1_000

/** The resources whose changes are shown: those that can be deleted. Activities have a list of their own. */
const shown = resources.filter(({ operations }) => operations.includes('delete'))

/** The latest changes of all records, newest first; the API's feed begins with the oldest. Changes of one type by one request are one entry. */
export const latestChangeRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/latest-changes', for: 'member', run: showLatest },
]

function showLatest({ store, session, environment }: MemberCall): ApiResponse {
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  const scanned = selectStored(reader, 'seq', 'ORDER BY seq DESC LIMIT ?', scannedMax)
  const groups = [...Map.groupBy(scanned.flatMap(load), ({ change }) => groupOf(change)).values()].slice(0, shownMax)
  const texts = showChanges(
    reader,
    groups.map(([newest]) => newest!),
  )
  return data(groups.map((group, at) => ({ ...withoutNumber(texts[at]!), count: group.length })))
}

/** The change with its resource, if it is shown. The server's own changes are those of a setup or an upgrade. */
function load(change: StoredChange) {
  const resource = shown.find(({ name }) => name === change.resource)
  return resource && change.actor !== 'system' ? [{ change, resource }] : []
}

function groupOf({ type, actor, requestId }: StoredChange): string {
  return `${type} ${actor} ${requestId}`
}

/** The change may not be on disk yet, so its number is not shown (decision G2). */
function withoutNumber(text: string): object {
  const { seq, ...change } = JSON.parse(text)
  return change
}
