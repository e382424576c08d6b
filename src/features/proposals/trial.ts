import { createHash } from 'node:crypto'
import { isConsequence, ofMessagesIn } from '../../changes/may-see.ts'
import { showChanges } from '../../changes/show.ts'
import { latestOf, selectStored } from '../../changes/stored-change.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { InnerRequest } from '../../engine/api/call/route.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { ApiError } from '../../errors.ts'
import { parseExact } from '../../lib/exact-json.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { changeOf, type RecordChange, type ShownChange, startOf } from './changes.ts'

/** The request of an agent that a user may let happen. */
export type ProposedRequest = Pick<InnerRequest, 'method' | 'target' | 'body'>

/** What a request would change. */
export interface Changes {
  /** The first ones: those of the records that the request names, then the others, each in order. */
  changes: RecordChange[]
  total: number
  /** A hash of what all of them start from. */
  start: string
}

export interface Trial extends Changes {
  /** What the response would be. */
  response: ApiResponse
}

/** The maximum number of changes that are shown, and that of the characters of their JSON; the first change is always shown. */
const shownMax = 50
const charsMax = 2 ** 17

const tooMany =
  'So many changes are made by a job, which can be neither tried out nor proposed: change less at once, or ask a user to do it in the console'

/** Runs a request in its transaction, which may be undone, and reads what it has changed. Throws CONFLICT if a job would make the changes. */
export function traceRequest(
  tx: Writer,
  resources: readonly Resource[],
  request: ProposedRequest,
  run: () => ApiResponse,
): Trial {
  const before = latestOf(tx)
  const response = run()
  if (response.status === 202) throw new ApiError('CONFLICT', tooMany)
  return { response, ...changesAfter(tx, resources, before, JSON.stringify(request).toLowerCase()) }
}

interface Found {
  change: RecordChange
  chars: number
}

function changesAfter(reader: Reader, resources: readonly Resource[], seq: number, request: string): Changes {
  const start = createHash('sha256')
  const named: Found[] = []
  const others: Found[] = []
  let total = 0
  for (const found of eachAfter(reader, resources, seq)) {
    total++
    start.update(startOf([found.change]))
    const list = request.includes(found.change.record_id) ? named : others
    if (list.length < shownMax) list.push(found)
  }
  return { changes: firstOf([...named, ...others]), total, start: start.digest('base64url') }
}

/** The changes after a number, a few at a time, because each may be large. */
function* eachAfter(reader: Reader, resources: readonly Resource[], seq: number): Generator<Found> {
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  for (let after: number | undefined = seq; after !== undefined; ) {
    const stored = selectStored(reader, 'seq', 'AND seq > ? ORDER BY seq LIMIT ?', after, shownMax)
    const isOfMessage = ofMessagesIn(reader, stored) // which no preview shows (decision P7)
    const loaded = stored
      .filter((change) => !isOfMessage(change) && !isConsequence(change))
      .map((change) => ({ change, resource: byName.get(change.resource)! }))
    for (const [at, text] of showChanges(reader, loaded).entries()) {
      yield { change: changeOf(loaded[at]!.resource, parseExact(text) as ShownChange), chars: text.length }
    }
    after = stored.at(-1)?.seq
  }
}

function firstOf(found: readonly Found[]): RecordChange[] {
  const shown: RecordChange[] = []
  let left = charsMax
  for (const { change, chars } of found.slice(0, shownMax)) {
    left -= chars
    if (left < 0 && shown.length > 0) break
    shown.push(change)
  }
  return shown
}
