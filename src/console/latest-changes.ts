import { findWorkspaceId } from '../access/company.ts'
import { showChanges } from '../changes/show.ts'
import { type ChangeHead, selectHeads, selectStored } from '../changes/stored-change.ts'
import { resources } from '../crm/index.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import type { Reader } from '../store/reader.ts'
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
  const scanned = selectHeads(reader, 'seq', 'ORDER BY seq DESC LIMIT ?', scannedMax).filter(isShown)
  const groups = [...Map.groupBy(scanned, groupOf).values()].slice(0, shownMax)
  const texts = showChanges(
    reader,
    groups.map(([newest]) => load(reader, newest!.seq)),
  )
  return data(groups.map((group, at) => ({ ...withoutNumber(texts[at]!), count: group.length })))
}

/** The server's own changes are those of a setup or an upgrade. */
function isShown({ resource, actor }: ChangeHead): boolean {
  return actor !== 'system' && shown.some(({ name }) => name === resource)
}

function load(reader: Reader, seq: number) {
  const [change] = selectStored(reader, 'seq', 'AND seq = ?', seq)
  return { change: change!, resource: shown.find(({ name }) => name === change!.resource)! }
}

function groupOf({ type, actor, requestId }: ChangeHead): string {
  return `${type} ${actor} ${requestId}`
}

/** The change may not be on disk yet, so its number is not shown (decision G2). */
function withoutNumber(text: string): object {
  const { seq, ...change } = JSON.parse(text)
  return change
}
