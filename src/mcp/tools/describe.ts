import { grants } from '../../access/scopes.ts'
import { pipeline } from '../../crm/pipeline.ts'
import { stage } from '../../crm/stage.ts'
import { user } from '../../crm/user.ts'
import { filtersOf } from '../../engine/api/openapi/list-parameters.ts'
import { measureNames } from '../../engine/finding/summary/measures.ts'
import { isDeclarable } from '../../engine/records/declared/declared.ts'
import { type DeclaredType, declaredFilter } from '../../engine/records/declared/types.ts'
import type { Filter, Operator } from '../../engine/records/definition/filter.ts'
import type { Field, Resource } from '../../engine/records/definition/resource.ts'
import { type Agent, type JsonBody, read } from '../protocol/agent.ts'
import { mergeTypes, readTypes, type Tool, typeNamed, typesWith, writeTypes } from './tool.ts'

const pageMax = 100
/** Of each list. */
const listMax = 1_000

export const describe: Tool = {
  name: 'describe',
  title: 'Describe the CRM',
  description:
    'Without type: the types of records, pipelines with their stages, users, limits, and what this key may do. With type: its fields, also those that the company has declared, filters and sorts. Call it before you write.',
  kind: 'read',
  input: (agent) => ({ type: { type: 'string', enum: namesFor(agent) } }),
  output: { data: { type: 'object' } },
  run: async (agent, { type }) => ({
    data: type === undefined ? await describeAll(agent) : await describeType(agent, typeNamed(type)),
  }),
}

function namesFor(agent: Pick<Agent, 'credential'>): string[] {
  const [readable, writable] = [typesWith('read', readTypes, agent), typesWith('write', readTypes, agent)]
  return readTypes.map(({ name }) => name).filter((name) => readable.includes(name) || writable.includes(name))
}

async function describeAll(agent: Agent): Promise<JsonBody> {
  const me = (await read(agent, '/api-v1-me')).data as JsonBody
  const { key, company, workspace, scopes, plan, limits, usage } = me
  const { name } = key as { name: string }
  const lists = {
    pipelines: await listOf(agent, pipeline, ['id', 'name', 'is_default']),
    stages: await listOf(agent, stage, ['id', 'name', 'kind', 'pipeline_id']),
    users: await listOf(agent, user, ['id', 'full_name', 'email', 'is_active']),
  }
  const shown = Object.entries(lists).map(([name, list]) => [name, list?.found])
  const incomplete = Object.entries(lists).flatMap(([name, list]) =>
    list && list.total > list.found.length ? [[name, `the first ${list.found.length} of ${list.total}`]] : [],
  )
  return {
    ...{ key: { name }, company, workspace, scopes, mode: agent.mode, plan, limits, usage },
    types: namesFor(agent).map((type) => ({
      type,
      read: typesWith('read', readTypes, agent).includes(type),
      write: typesWith('write', writeTypes, agent).includes(type),
      merge: typesWith('write', mergeTypes, agent).includes(type),
    })),
    ...Object.fromEntries(shown),
    ...(incomplete.length > 0 && { incomplete: Object.fromEntries(incomplete) }),
  }
}

/** Some fields of the first records of a resource, and how many there are; undefined: the key may not read it. */
async function listOf(agent: Agent, { path, scopes }: Resource, names: readonly string[]) {
  if (!grants(agent.credential.scopes, scopes.read)) return undefined
  const found: JsonBody[] = []
  let [cursor, total]: [string | undefined, number] = [undefined, 0]
  do {
    const { data, pagination } = await read(agent, `/${path}`, { limit: pageMax, cursor })
    found.push(...(data as JsonBody[]))
    const page = pagination as { total: number; next_cursor?: string | null }
    cursor = page.next_cursor ?? undefined
    total = page.total
  } while (cursor !== undefined && found.length < listMax)
  return { found: found.map((each) => Object.fromEntries(names.map((name) => [name, each[name]]))), total }
}

async function describeType(agent: Agent, resource: Resource): Promise<JsonBody> {
  const { name, columns, collections, defaultOperators, sorts, matchedBy } = resource
  const mayReadFields = isDeclarable(resource) && grants(agent.credential.scopes, 'read:any')
  const declared = mayReadFields
    ? await read(agent, '/api-v1-fields', { resource: name, limit: pageMax })
    : { data: [] }
  const lists = Object.entries(collections).map(([key, each]) => [key, textsOf(each.fields)])
  return {
    type: name,
    fields: textsOf(columns),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
    declared_fields: (declared.data as JsonBody[]).map(describeDeclared),
    filters: Object.fromEntries(
      filtersOf(resource).map(({ name, filter }) => [name, operatorsOf(filter, defaultOperators[name])]),
    ),
    filter_form: 'field[operator]=value, with an operator of the field; field=value takes the first of them',
    sorts,
    measures: ['count', ...measureNames(resource)],
    match_on: matchedBy,
  }
}

function describeDeclared({ key, label, type, options, unique }: JsonBody): JsonBody {
  const { filter } = declaredFilter(type as DeclaredType, options as string[])
  return { name: `metadata.${key}`, label, type, options, unique, operators: operatorsOf(filter) }
}

/** The operators of a filter: first the one that applies if none is named. */
function operatorsOf({ operators }: Filter, first: Operator = 'eq'): string {
  return [...new Set([first, ...operators])].join(', ')
}

function textsOf(fields: Readonly<Record<string, Field>>): Record<string, string> {
  return Object.fromEntries(Object.values(fields).map((field) => [field.name, textOf(field)]))
}

/** A field in words: `id (stage); required`. */
function textOf({ kind, options, examples, target, required, readonly, fixed }: Field): string {
  const form = kind === 'pattern' && examples ? `text such as ${examples[0]}` : kind
  const what = options ? `one of: ${options.join(', ')}` : target ? `id (${target.name})` : form
  const isSet = readonly || kind === 'moment'
  return [what, required && 'required', isSet && 'set by the server', fixed && 'set once'].filter(Boolean).join('; ')
}
