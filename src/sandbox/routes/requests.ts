import * as v from 'valibot'
import type { Route } from '../../engine/api/call/route.ts'
import { readParameters } from '../../engine/finding/query/parameters.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Describer, JsonSchema } from '../../engine/records/describe.ts'
import { type Detail, validationError } from '../../errors.ts'
import { matches } from '../faults.ts'
import type { JournalEntry } from '../journal.ts'
import { data, readMembers, strict, wholeNumber } from '../read-members.ts'
import type { World } from '../world.ts'
import { bodySchema, type ControlDescription, controlRoute, countSchema, momentSchema, textSchema } from './control.ts'
import { matchMembers } from './match.ts'

interface Match {
  method?: string | undefined
  path?: string | undefined
  status?: number | undefined
}

/** Shows the journal of a world (decision I10). */
export function requestRoutes(world: World): Route[] {
  return [
    controlRoute({
      ...{ method: 'GET', path: '/requests', takesParameters: true },
      run: ({ query }) => data(find(world, readMembers(readFilters(query), members))),
      describe: describeList,
    }),
    controlRoute({
      ...{ method: 'POST', path: '/requests/count', takesBody: true, bodyOptional: true },
      run: ({ body }) => {
        const { match } = readMembers(body, { match: v.optional(strict('match', members), {}) })
        return data({ count: find(world, match).length })
      },
      describe: describeCount,
    }),
  ]
}

const members = { ...matchMembers, status: v.optional(wholeNumber('status', 100, 599)) }

function readFilters(query: string): object {
  const details: Detail[] = []
  const { status, ...filters } = Object.fromEntries(readParameters(query, Object.keys(members), details))
  if (status !== undefined && !/^-?\d+$/.test(status)) {
    details.push(invalid('status', 'status must be a whole number', 'INVALID_FORMAT'))
  }
  if (details.length > 0) throw validationError(details)
  return { ...filters, ...(status !== undefined && { status: Number(status) }) }
}

function find({ instance: { journal } }: World, { status, ...match }: Match): JournalEntry[] {
  return journal.entries.filter(
    (entry) => matches(match, entry.method, entry.path) && (status === undefined || entry.status === status),
  )
}

const example = {
  ...{ request_id: '0190a2b4-9396-7000-8000-9f8e7d6c5b4a', at: '2026-01-05T09:00:00.000Z', method: 'POST' },
  ...{ path: '/api-v1-deals', query: '', body: { title: 'Christmas hampers' }, status: 201, fault: null },
}

function describeList(doc: Describer): ControlDescription {
  const entry = doc.schema('SandboxRequest', () =>
    doc.object({
      ...{ request_id: textSchema, at: momentSchema, method: textSchema, path: textSchema, query: textSchema },
      body: { description: 'JSON, or a text; null if there is none, or if it is longer than 64 KiB.' },
      status: { type: ['integer', 'null'], description: 'Null while there is no response.' },
      fault: { type: ['string', 'null'], description: 'The fault that was applied.' },
    }),
  )
  return {
    id: 'listSandboxRequests',
    summary: 'List the requests that were made',
    details: 'Oldest first: the newest 1,000. Requests to the control endpoints and those of the console are left out.',
    query: [
      { name: 'method', schema: textSchema },
      { name: 'path', schema: textSchema, about: '`*` stands for any text.' },
      { name: 'status', schema: { type: 'integer' } },
    ],
    response: { about: 'The requests.', schema: doc.envelope('SandboxRequests', { type: 'array', items: entry }) },
    example: { query: { method: 'POST', path: '/api-v1-deals*' }, response: { data: [example] } },
  }
}

function describeCount(doc: Describer): ControlDescription {
  const match: Record<string, JsonSchema> = { method: textSchema, path: textSchema, status: { type: 'integer' } }
  return {
    id: 'countSandboxRequests',
    summary: 'Count the requests that were made',
    body: bodySchema(doc, 'CountSandboxRequests', {
      match: { type: 'object', properties: match, additionalProperties: false },
    }),
    response: {
      about: 'Their number among the newest 1,000.',
      schema: doc.envelope(
        'SandboxRequestCount',
        doc.schema('SandboxCount', () => doc.object({ count: countSchema })),
      ),
    },
    example: { body: { match: { method: 'POST', path: '/api-v1-deals*' } }, response: { data: { count: 2 } } },
  }
}
