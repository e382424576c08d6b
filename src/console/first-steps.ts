import { findWorkspaceId } from '../access/company.ts'
import { findLimits } from '../access/plan.ts'
import { lookupSampleRequest, storeSampleRequest } from '../access/setting.ts'
import { listUsers } from '../access/user.ts'
import { latestOf } from '../changes/stored-change.ts'
import type { UndoReport } from '../changes/undo/report.ts'
import { selectChanges } from '../changes/undo/select.ts'
import { entriesOf, planAll, undoEach } from '../changes/undo/undo.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { storedCount } from '../engine/records/select.ts'
import { ApiError } from '../errors.ts'
import { imported } from '../features/imports/imported.ts'
import { resources } from '../features/index.ts'
import type { Reader } from '../store/reader.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'
import { insertSamples } from './sample-records.ts'

/** What a new workspace still needs, and sample data to look around with. */
export const firstStepRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/first-steps', for: 'admin', run: show },
  { method: 'POST', path: '/console/sample-data', for: 'admin', run: addSamples },
  { method: 'DELETE', path: '/console/sample-data', for: 'admin', run: removeSamples },
]

/** Which steps are done. Sample data does not count. */
export interface FirstSteps {
  contacts: boolean
  stages: boolean
  colleagues: boolean
  deals: boolean
  /** Whether the workspace has sample data, can get it because it is empty, or neither. */
  samples: 'present' | 'possible' | 'none'
}

/** More changes than adding the sample data makes. */
const sampleChangesMax = 1_000

function show({ store, session, environment }: MemberCall): ApiResponse {
  const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
  const reader = store.workspace(workspaceId)
  const requestId = lookupSampleRequest(store.access, workspaceId)
  const samples =
    requestId === undefined ? [] : selectChanges(reader, { by: 'request_id', requestId }, sampleChangesMax)
  const sampleIds = JSON.stringify(samples.map(({ recordId }) => recordId))
  const others = (table: 'contact' | 'deal') =>
    `SELECT 1 FROM ${table} WHERE workspace_id = :workspace AND deleted_at IS NULL
      AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`
  const steps: FirstSteps = {
    contacts: reader.value(others('contact'), sampleIds) !== undefined,
    stages: hasOwnStages(reader),
    colleagues: listUsers(store.access, session.companyId).length > 1,
    deals: reader.value(others('deal'), sampleIds) !== undefined,
    samples: requestId !== undefined ? 'present' : isEmpty(reader) ? 'possible' : 'none',
  }
  return data(steps)
}

/** Whether a stage was added, changed or deleted after the company was created with its stages. */
function hasOwnStages(reader: Reader): boolean {
  const sql = `SELECT max(max(updated_at, coalesce(deleted_at, ''))) > min(created_at) FROM stage
    WHERE workspace_id = :workspace`
  return reader.value<number>(sql) === 1
}

/** Whether there is nothing yet of what a team brings: what can be imported. */
function isEmpty(reader: Reader): boolean {
  return Object.values(imported).every(({ name }) => storedCount(name, reader) === 0)
}

/** Adds the sample data. Throws CONFLICT unless the workspace is empty. */
async function addSamples({ write, environment }: MemberCall): Promise<ApiResponse> {
  await write((access, { companyId, userId }) => {
    const workspaceId = findWorkspaceId(access, companyId, environment)
    const tx = access.inWorkspace(workspaceId)
    if (!isEmpty(tx)) throw new ApiError('CONFLICT', 'Sample data is only for a workspace without records')
    insertSamples(tx, userId, findLimits(access, workspaceId))
    storeSampleRequest(access, workspaceId, tx.origin.requestId!)
  })
  return data(null, 201)
}

/** Undoes the request that added the sample data, so what was changed since is kept. Throws NOT_FOUND if there is none. */
async function removeSamples({ write, environment }: MemberCall): Promise<ApiResponse> {
  const report = await write((access, { companyId }): UndoReport => {
    const workspaceId = findWorkspaceId(access, companyId, environment)
    const requestId = lookupSampleRequest(access, workspaceId)
    if (requestId === undefined) throw new ApiError('NOT_FOUND', 'There is no sample data')
    storeSampleRequest(access, workspaceId, null)
    const tx = access.inWorkspace(workspaceId)
    const selected = selectChanges(tx, { by: 'request_id', requestId }, sampleChangesMax)
    const terms = { resources, limits: findLimits(access, workspaceId), mayRead: () => true }
    const entries = entriesOf(selected, { force: false, begun: latestOf(tx) })
    return undoEach(tx, planAll(tx, entries, resources, tx.origin.requestId), terms)
  })
  return data(report)
}
