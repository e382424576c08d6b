import { parseWhole, readParameters } from '../engine/finding/query/parameters.ts'
import { invalid, oneOf, quote } from '../engine/records/definition/faults.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { type Detail, validationError } from '../errors.ts'
import { parseUuid } from '../lib/uuid.ts'
import { type Position, readPosition } from './log-name.ts'
import type { Payload } from './show.ts'

/** The query of the feed (decision G5). */
export interface FeedQuery {
  after: 'start' | 'now' | Position
  limit: number
  /** Patterns of types: `deal.*`, `contact.deleted`; undefined: all. */
  types: readonly string[] | undefined
  recordId: string | undefined
  actorId: string | undefined
  requestId: string | undefined
  /** In seconds. */
  wait: number
  payload: Payload
}

export const limitMax = 1_000
export const limitDefault = 100
export const waitMax = 30
const parameters = ['after', 'limit', 'types', 'record_id', 'actor_id', 'request_id', 'wait', 'payload'] as const

/** The types of changes of a resource. One with routes of its own, such as a mail address, is restored by an undo, and erased with a person. */
export function typesOf({ name, operations, events, duplicates, progressing }: Resource): string[] {
  const hasOwnRoutes = operations.length === 0 && !progressing
  const trashed = operations.includes('delete') || hasOwnRoutes ? ['restored', 'erased'] : []
  const merged = duplicates.length > 0 ? ['merged'] : []
  return ['created', 'updated', ...Object.keys(events), ...merged, 'deleted', ...trashed].map(
    (verb) => `${name}.${verb}`,
  )
}

/** The header `Last-Event-ID` takes precedence over `after`. Throws VALIDATION_ERROR with every invalid parameter. */
export function readFeedQuery(resources: readonly Resource[], queryString: string, lastEventId?: string): FeedQuery {
  const details: Detail[] = []
  const given = readParameters(queryString, parameters, details)
  const query: FeedQuery = {
    after: lastEventId ? readLastEventId(lastEventId, details) : readAfter(given.get('after') ?? 'start', details),
    limit: readCount(given, { name: 'limit', min: 1, max: limitMax, fallback: limitDefault }, details),
    types: readTypes(resources, given.get('types'), details),
    recordId: readId(given, 'record_id', details),
    actorId: readId(given, 'actor_id', details),
    requestId: given.get('request_id'),
    wait: readCount(given, { name: 'wait', min: 0, max: waitMax, fallback: 0 }, details),
    payload: readPayload(given.get('payload') ?? 'full', details),
  }
  if (details.length > 0) throw validationError(details)
  return query
}

function readAfter(text: string, details: Detail[]): FeedQuery['after'] {
  if (text === 'start' || text === 'now') return text
  const position = readPosition(text)
  if (!position)
    details.push(
      invalid('after', `after must be start, now, or the cursor of a response, not ${quote(text)}`, 'INVALID_FORMAT'),
    )
  return position ?? 'start'
}

function readLastEventId(text: string, details: Detail[]): FeedQuery['after'] {
  const position = readPosition(text)
  const message = `Last-Event-ID must be the id of an event, not ${quote(text)}`
  if (!position) details.push(invalid('Last-Event-ID', message, 'INVALID_FORMAT'))
  return position ?? 'start'
}

interface Count {
  name: string
  min: 0 | 1
  max: number
  fallback: number
}

/** Values above the maximum are clamped (decision C1). */
export function readCount(
  given: ReadonlyMap<string, string>,
  { name, min, max, fallback }: Count,
  details: Detail[],
): number {
  const text = given.get(name)
  if (text === undefined) return fallback
  return Math.min(parseWhole(name, text, min, details) ?? fallback, max)
}

function readTypes(resources: readonly Resource[], text: string | undefined, details: Detail[]): string[] | undefined {
  if (text === undefined) return undefined
  const known = resources.flatMap(typesOf)
  const patterns = text.split(',').map((part) => part.trim())
  for (const pattern of patterns) {
    if (known.some((type) => matchesType(type, pattern))) continue
    const choices = [...resources.map(({ name }) => `${name}.*`), ...known]
    details.push(invalid('types', oneOf(`There is no type of change ${quote(pattern)}`, choices)))
  }
  return patterns
}

/** Whether a type is one that a pattern names: `deal.*` names every type of deals, `*` names all. */
export function matchesType(type: string, pattern: string): boolean {
  return pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
}

function readId(given: ReadonlyMap<string, string>, name: string, details: Detail[]): string | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  const id = parseUuid(text)
  if (id === undefined) details.push(invalid(name, `${name} must be a UUID`, 'INVALID_FORMAT'))
  return id
}

function readPayload(text: string, details: Detail[]): Payload {
  if (text === 'full' || text === 'ids') return text
  details.push(invalid('payload', oneOf(`payload cannot be ${quote(text)}`, ['full', 'ids'])))
  return 'full'
}
