import { missingScope } from '../access/scopes.ts'
import { type ApiResponse, shown } from '../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../engine/api/call/route.ts'
import { readRecordQuery } from '../engine/finding/query/query.ts'
import type { Reading } from '../engine/finding/reading.ts'
import { invalid } from '../engine/records/definition/faults.ts'
import type { Children, IdList, Link, Relation, Resource } from '../engine/records/definition/resource.ts'
import type { Linked } from '../engine/records/links.ts'
import { idOf, lookupText, notFound } from '../engine/records/select.ts'
import { ApiError, validationError } from '../errors.ts'
import { parseExact } from '../lib/exact-json.ts'
import { parseSpan } from '../lib/moment.ts'
import type { Reader } from '../store/reader.ts'
import { describeAsOf } from './describe-history.ts'
import { mayReadChange } from './may-read.ts'
import { stateAt } from './state.ts'
import { boundsOf, hasFewChanges } from './stored-change.ts'

/** Adds `as_of` to the route that gets a record: the record as it was then (decision G10). */
export function withAsOf(resource: Resource, route: Route): Route {
  if (route.method !== 'GET' || route.path !== `/${resource.path}/:id`) return route
  return {
    ...route,
    run: (call) => {
      if (call.query === '') return route.run(call)
      const includes = readRecordQuery(resource, call.query, ['as_of'])
      const moment = new URLSearchParams(call.query).get('as_of')
      if (moment === null) return route.run(call)
      requireChanges(resource, call.caller)
      return getAsOf(resource, call, { moment, includes })
    },
    describe: (doc) => describeAsOf(route.describe(doc), resource),
  }
}

/** A former state reveals changes. Throws INSUFFICIENT_PERMISSIONS if the caller may not read the changes of the record (decision G1). */
function requireChanges(resource: Resource, { scopes }: Caller): void {
  if (!mayReadChange(resource, {}, scopes)) throw missingScope(...resource.changesReadBy!({}))
}

/** A record as of a change, with the relations of these names. */
interface StateQuestion {
  resource: string
  id: string
  seq: number
  includes: readonly string[]
  /** Of the caller. */
  scopes: ReadonlySet<string>
}

/** Derives a record as of a change: its JSON text, or undefined if it did not exist then. */
export function stateReading(resources: readonly Resource[]): Reading<StateQuestion, string | undefined> {
  return {
    name: 'earlier state',
    isQuick: (reader, { id, includes }) => includes.length === 0 && hasFewChanges(reader, id), // what it includes may have changed often
    run(reader, question) {
      const resource = resources.find(({ name }) => name === question.resource)!
      return readState(resource, reader, question)
    },
  }
}

function readState(resource: Resource, reader: Reader, question: StateQuestion): string | undefined {
  const { id, seq, includes } = question
  const text = stateAt(resource, reader, id, seq)
  if (text === undefined) return undefined
  const record = parseExact(text) as State
  const { links, idLists, children, relations } = resource
  const fieldsOf = fieldsAt(reader, question)
  const unasked = Object.keys(links).map((name) => [name, undefined]) // which the log has
  const asked = includes.flatMap((name): [string, unknown][] => {
    if (links[name]) return [[name, linkedAt(links[name], fieldsOf, record, record[name] as Linked[] | undefined)]]
    if (idLists[name]) return [[name, listedAt(idLists[name], fieldsOf, record)]]
    if (children[name]) return [[name, childrenAt(children[name], fieldsOf, reader, id)]]
    return relations[name] ? [[name, relatedAt(relations[name], fieldsOf, record)]] : []
  })
  return JSON.stringify({ ...record, ...Object.fromEntries([...unasked, ...asked]) })
}

async function getAsOf(
  resource: Resource,
  call: Call,
  { moment, includes }: { moment: string; includes: readonly string[] },
): Promise<ApiResponse> {
  const id = idOf(resource, call.params.id!)
  const { reader } = call
  const seq = readMoment(reader, moment, call.clock.now())
  const question = { resource: resource.name, id, seq, includes, scopes: call.caller.scopes }
  const text = await call.read(stateReading([resource]), question)
  if (text === undefined) throw notFound(resource)
  await call.log.synced()
  return { ...shown(200, text), personal: true }
}

type State = Record<string, unknown>

/** Some fields of a record as of a change; undefined if it did not exist or was deleted. */
type FieldsOf = (target: Resource, fields: readonly string[], id: string) => State | undefined

/** The fields of a referenced record as of a change; null if it did not exist or was deleted. */
function relatedAt({ target, by, fields }: Relation, fieldsOf: FieldsOf, record: State) {
  const id = record[by]
  return typeof id === 'string' ? (fieldsOf(target, fields, id) ?? null) : null
}

/** The records to which a record was linked as of a change, without those that were deleted then: first the one that its reference names. */
function linkedAt({ target, text, first }: Link, fieldsOf: FieldsOf, record: State, links: readonly Linked[] = []) {
  const named = links.flatMap((each) => {
    const fields = fieldsOf(target, target.summary, each.id)
    return fields ? [{ ...fields, [text]: each[text] }] : []
  })
  return named.sort((a, b) => Number(b.id === record[first]) - Number(a.id === record[first]))
}

/** The records of a list of ids as of a change, without those that were deleted then. */
function listedAt({ target, field }: IdList, fieldsOf: FieldsOf, record: State) {
  return (record[field] as readonly string[]).flatMap((id) => fieldsOf(target, target.summary, id) ?? [])
}

/** The records that refer to a record, as of a change: what they refer to never changes. */
function childrenAt({ target, by }: Children, fieldsOf: FieldsOf, reader: Reader, id: string) {
  const sql = `SELECT id FROM ${target.table} WHERE workspace_id = :workspace AND ${by} = ? ORDER BY id`
  return reader.values<string>(sql, id).flatMap((each) => fieldsOf(target, target.summary, each) ?? [])
}

/** Returns a function that reads records as of the change; as they are now if the caller may not read their changes. */
function fieldsAt(reader: Reader, { seq, scopes }: StateQuestion): FieldsOf {
  return (target, fields, id) => {
    const isReadable = mayReadChange(target, {}, scopes)
    const former = isReadable ? stateAt(target, reader, id, seq) : undefined
    // Users are in the log of the live workspace, so a test workspace shows them as they are now.
    const isNow = !isReadable || target.storage || target.idTable
    const text = former ?? (isNow ? lookupText(target, reader, id) : undefined)
    if (text === undefined) return undefined
    const state = parseExact(text) as State
    return Object.fromEntries(fields.map((name) => [name, state[name]]))
  }
}

/** The number of the last change at a moment until now: a number itself, a timestamp, or a date, which means its beginning. */
function readMoment(reader: Reader, given: string, nowMs: number): number {
  const { oldest, latest } = boundsOf(reader)
  const message = 'as_of must be a timestamp, a date, or the number of a change'
  const ms = parseSpan(given)?.start
  const seq = /^\d{1,15}$/.test(given) ? Number(given) : lastAt(reader, ms, oldest, latest)
  if (seq === undefined) throw validationError([invalid('as_of', message, 'INVALID_FORMAT')])
  if (seq > latest) throw validationError([invalid('as_of', `The newest change is ${latest}`, 'OUT_OF_RANGE')])
  if (ms !== undefined && ms > nowMs && ms > timeOf(reader, latest)) {
    throw validationError([invalid('as_of', 'as_of must not be in the future', 'OUT_OF_RANGE')])
  }
  if (seq >= oldest - 1) return seq
  const details = [
    { field: 'as_of', message: `The oldest change of the log is ${oldest}`, code: 'OUT_OF_RANGE' as const },
  ]
  throw new ApiError('NOT_FOUND', 'The log does not go back to this moment', { status: 410, details })
}

/** The last change at or before a time. Times of changes never decrease, and numbers have no gaps. */
function lastAt(reader: Reader, ms: number | undefined, oldest: number, latest: number): number | undefined {
  if (ms === undefined) return undefined
  let before = oldest - 1
  let after = latest + 1
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (timeOf(reader, middle) <= ms) before = middle
    else after = middle
  }
  return before === oldest - 1 && oldest > 1 ? -1 : before
}

/** When a change was made; 0 if there is none. */
function timeOf(reader: Reader, seq: number): number {
  return reader.value<number>('SELECT at FROM change WHERE workspace_id = :workspace AND seq = ?', seq) ?? 0
}
