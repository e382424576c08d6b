import { invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { idOf } from '../../engine/records/select.ts'
import { validationError } from '../../errors.ts'
import { type Agent, type JsonBody, read, readTarget } from '../protocol/agent.ts'
import type { Arguments } from './arguments.ts'
import { id, ifAny, list, mergeTypes, readTypes, record, type Tool, typeNamed, typesWith, withType } from './tool.ts'

const pageMax = 50
const pageDefault = 20

const filter = {
  type: 'string',
  description: 'Query text: status=open&value[gte]=1000&updated_at[gte]=2026-11-16. See describe.',
} as const
const limit = { type: 'integer', minimum: 1, maximum: pageMax, description: `Default ${pageDefault}` } as const
const cursor = { type: 'string', description: 'pagination.next_cursor of the page before' } as const

export const listRecords: Tool = {
  name: 'list_records',
  title: 'List records',
  description: `List records that match a filter, in order, up to ${pageMax} at a time, with their total number.`,
  kind: 'read',
  input: (agent) =>
    withType(typesWith('read', readTypes, agent), {
      filter,
      sort: { type: 'string', description: 'Such as -updated_at,name' },
      duplicates: { type: 'boolean', description: 'Instead: groups of contacts or organizations that may be the same' },
      limit,
      cursor,
    }),
  output: list,
  run: (agent, given) => {
    const { sort, limit = pageDefault, cursor } = given
    const { path, name } = typeNamed(given.type)
    if (given.duplicates === true) requireMergeable(name)
    const listed = given.duplicates === true ? `/${path}/duplicates` : `/${path}`
    return readFiltered(agent, listed, given, { sort, limit, cursor })
  },
}

export const getRecord: Tool = {
  name: 'get_record',
  title: 'Get a record',
  description: 'Read one record by its type and UUID.',
  kind: 'read',
  input: (agent) => withType(typesWith('read', readTypes, agent), { id }),
  output: record,
  run: (agent, { type, id }) => read(agent, pathOf(typeNamed(type), id)),
}

export const summarize: Tool = {
  name: 'summarize',
  title: 'Summarize records',
  description:
    'Count records and add up amounts by group, over all records that match a filter: deals by stage_id with sum:value. Amounts are per currency.',
  kind: 'read',
  input: (agent) =>
    withType(typesWith('read', readTypes, agent), {
      filter,
      group_by: { type: 'string', description: 'Fields, or the period of a time: stage_id,closed_at:month' },
      measure: { type: 'string', description: 'count, sum:value, …; default count' },
      limit: { ...limit, description: `Default ${pageMax}` },
      cursor,
    }),
  output: list,
  run: (agent, given) => {
    const { group_by, measure, limit = pageMax, cursor } = given
    return readFiltered(agent, `/${typeNamed(given.type).path}/summary`, given, { group_by, measure, limit, cursor })
  },
}

export const listChanges: Tool = {
  name: 'list_changes',
  title: 'List changes',
  description:
    'Read the log of all changes, oldest first: who changed what, with former values, and request_id to undo it. With type and record_id: all of one record, newest first.',
  kind: 'read',
  input: (agent) =>
    ifAny(typesWith('read', readTypes, agent), {
      type: { type: 'string', enum: typesWith('read', readTypes, agent), description: 'With record_id' },
      record_id: { type: 'string' },
      types: { type: 'string', description: 'Such as deal.won,contact.*' },
      request_id: { type: 'string', description: 'Only the changes of one request' },
      after: { type: 'string', description: 'start (default) or the cursor of the page before' },
      limit,
    }),
  output: { ...list, cursor: {}, has_more: {} },
  renames: new Map([['cursor', 'after']]),
  run: (agent, { type, record_id, types, request_id, after, limit = pageDefault }) => {
    const page = { limit: Number(limit) }
    if (type === undefined) {
      return read(agent, '/api-v1-changes', { ...page, ...texts({ types, record_id, request_id, after }) })
    }
    if (record_id === undefined) throw validationError([invalid('type', 'type needs record_id: without it, use types')])
    const [ignored] = Object.keys(texts({ types, request_id }))
    if (ignored) throw validationError([invalid(ignored, `${ignored} has no effect with type: leave out one of them`)])
    return read(agent, `${pathOf(typeNamed(type), record_id)}/history`, { ...page, ...texts({ cursor: after }) })
  },
}

/** Throws VALIDATION_ERROR. */
function requireMergeable(type: string): void {
  const types = mergeTypes.map(({ name }) => name)
  if (types.includes(type)) return
  const message = `duplicates can be found of: ${types.join(', ')}`
  throw validationError([invalid('duplicates', message)])
}

/** The path of a record. Throws NOT_FOUND if the id is no UUID: it could be the name of another path, such as `summary`. */
export function pathOf(resource: Resource, id: unknown): string {
  return `/${resource.path}/${idOf(resource, String(id))}`
}

function texts(values: Arguments): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** `filter` is text of a query string, which must not contain what the other arguments say. */
function readFiltered(agent: Agent, path: string, { filter = '' }: Arguments, rest: Arguments): Promise<JsonBody> {
  const text = String(filter).replace(/^[?&]+/, '')
  const taken = [...new URLSearchParams(text).keys()].find((name) => Object.hasOwn(rest, name) || name === 'view')
  if (taken !== undefined) {
    const message = `filter must not contain ${taken}${taken === 'view' ? '' : ': it is an argument of its own'}`
    throw validationError([invalid('filter', message)])
  }
  const others = new URLSearchParams(texts(rest)).toString()
  return readTarget(agent, `${path}?${[text, others].filter(Boolean).join('&')}`)
}
