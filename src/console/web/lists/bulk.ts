import { ApiError } from '../../../errors.ts'
import { isDeclaredName, keyOf } from '../data/declared.ts'
import { queryOf } from '../data/find.ts'
import { list, patch, remove, request, withRequestId } from '../data/http.ts'
import { type ListState, parametersOf } from '../data/list-state.ts'
import { hasValue } from '../data/record-values.ts'
import type { Row } from '../data/resource-views.ts'
import { unfinished } from '../data/unfinished.ts'
import { keepReason, neededField, neededNames } from '../deals/deal-moves.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'

/** The most records that one action takes. One undo takes as many changes. */
export const selectedMax = 10_000
/** How many requests are on their way at once. */
const requestsMax = 4
const pageSize = 100
/** How long to wait after the server has refused a request because of its limit, in milliseconds. */
const limitMs = 5_000
const attemptsMax = 5

/** What happens to each selected record: fields are set, and why a deal is in a stage is kept as a note; or it is deleted. */
export interface BulkAction {
  /** Absent: the records are deleted. */
  set?: Record<string, unknown>
  /** The name of the stage to which deals move. */
  stage?: string
  /** Why deals are lost. */
  reason?: string
  /** What the stage requires, for the deals that were refused without it, by their ids. */
  needed?: { values: Record<string, unknown>; names: BulkOutcome['needed'] }
}

export interface BulkOutcome {
  done: number
  /** How many records had each error. */
  failures: ReadonlyMap<string, number>
  /** The ids of the records that are not changed. */
  left: string[]
  /** What the stage requires and these deals lack, by their ids. */
  needed: ReadonlyMap<string, readonly string[]>
}

interface BulkRun {
  of: string
  ids: readonly string[]
  action: BulkAction
  onProgress: (done: number) => void
  /** Aborted: the rest is left as it is. */
  signal: AbortSignal
}

/** Changes records one by one, like a form does. All changes have the same request id, so that one undo takes them back. */
export async function runBulk({ of, ids, action, onProgress, signal }: BulkRun): Promise<BulkOutcome> {
  const failures = new Map<string, number>()
  const left: string[] = []
  const needed = new Map<string, string[]>()
  const waiting = ids.values()
  let [tried, done] = [0, 0]
  return withRequestId(async (shared) => {
    const work = async () => {
      for (const id of waiting) {
        try {
          if (signal.aborted) throw new Error(t('Stopped'))
          const changed = await patiently(() => change(of, id, action, shared), signal)
          const { stage, reason } = action
          if (stage && reason) await patiently(() => keepReason(changed, stage, reason), signal)
          done++
        } catch (error) {
          const { message } = error as Error
          failures.set(message, (failures.get(message) ?? 0) + 1)
          left.push(id)
          const names = action.stage ? neededNames(error) : []
          if (names.length > 0) needed.set(id, names)
        }
        onProgress(++tried)
      }
    }
    await unfinished(Promise.all(Array.from({ length: requestsMax }, work)))
    return { done, failures, left, needed }
  })
}

async function change(
  of: string,
  id: string,
  { set, needed }: BulkAction,
  shared: { requestId: string },
): Promise<Row> {
  const path = `/${resourceOf(of).path}/${id}`
  if (!set) return remove<Row>(path, shared)
  const lacking = needed?.names.get(id)
  if (!lacking && !Object.keys(set).some(isDeclaredName)) return patch<Row>(path, set, undefined, shared)
  // The metadata is replaced as a whole, and only what is empty is filled in, so the record must be as it was read.
  for (let attempt = 1; ; attempt++) {
    const row = await request<Row>('GET', path, shared)
    const all = Object.entries({ ...set, ...(lacking && filledIn(row, lacking, needed!.values)) })
    const declared = all.filter(([name]) => isDeclaredName(name)).map(([name, value]) => [keyOf(name), value])
    const plain = Object.fromEntries(all.filter(([name]) => !isDeclaredName(name)))
    const metadata = declared.length > 0 && { metadata: { ...row.metadata, ...Object.fromEntries(declared) } }
    try {
      return await patch<Row>(path, { ...plain, ...metadata }, row, shared)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || attempt === attemptsMax) throw error
    }
  }
}

/** The values of what a record still lacks. */
function filledIn(row: Row, lacking: readonly string[], values: Record<string, unknown>): Record<string, unknown> {
  const names = lacking.map((name) => neededField(name)!.name).filter((name) => !hasValue(row, name))
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

/** Repeats what the server has refused because of its limit of requests. */
async function patiently<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, limitMs))
    }
  }
}

/** The ids of all records that a list finds, at most `selectedMax`. By cursors: a page would leave out what moves up when another record is deleted. */
export async function idsOf(of: string, state: ListState): Promise<string[]> {
  const { path } = resourceOf(of)
  const query = { ...parametersOf(of, state), q: queryOf(state.q), limit: pageSize, page: undefined }
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { data, pagination } = await list<Row>(`/${path}`, { ...query, cursor })
    ids.push(...data.map(({ id }) => id))
    cursor = pagination.next_cursor ?? undefined
  } while (cursor && ids.length < selectedMax)
  return [...new Set(ids)]
}
