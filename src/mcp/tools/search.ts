import type { SearchResult } from '../../engine/finding/search/find.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { ApiError, validationError } from '../../errors.ts'
import { nounsOf, pluralOf } from '../../lib/plural.ts'
import { type Agent, read } from '../protocol/agent.ts'
import { pathOf } from './lists.ts'
import { ifAny, readTypes, type Tool, typesWith } from './tool.ts'

const resultsMax = 20
/** The types that a search finds. */
const searched = readTypes.filter(({ search }) => search !== undefined)
const nouns = searched.map(nounsOf)

/** `search` and `fetch` have the names and forms that ChatGPT's research expects. */
export const search: Tool = {
  name: 'search',
  title: 'Search records',
  description: `Find ${nouns.slice(0, -1).join(', ')} and ${nouns.at(-1)} by words, names, email addresses or phone numbers. Returns the 20 best matches. Give an id to fetch, or its UUID to other tools.`,
  kind: 'read',
  input: (agent) => ifAny(typesWith('read', searched, agent), { query: { type: 'string', required: true } }),
  output: {
    results: {
      type: 'array',
      items: { type: 'object', properties: { id: {}, title: {}, url: {}, text: {} } },
    },
  },
  renames: new Map([['q', 'query']]),
  async run(agent, { query }) {
    const types = typesWith('read', searched, agent).join()
    const { data } = await read(agent, '/api-v1-search', { q: String(query), types, limit: resultsMax })
    const results = (data as SearchResult[]).map(({ type, id, title, subtitle }) => ({
      id: `${type}:${id}`,
      ...{ title, url: urlOf(agent, type, id), text: subtitle ?? '' },
    }))
    return { results }
  },
}

export const fetchRecord: Tool = {
  name: 'fetch',
  title: 'Fetch a search result',
  description: 'Read the complete record of a search result by its id, such as contact:0198….',
  kind: 'read',
  input: (agent) => ifAny(typesWith('read', searched, agent), { id: { type: 'string', required: true } }),
  output: { id: {}, title: {}, text: {}, url: {}, metadata: { type: 'object' } },
  async run(agent, { id: given }) {
    const [type = '', id] = String(given).split(/:(.*)/s, 2)
    const resource = searched.find(({ name }) => name === type)
    if (!resource) {
      throw validationError([invalid('id', 'id must be that of a search result: contact:<uuid>', 'INVALID_FORMAT')])
    }
    const { data } = await read(agent, pathOf(resource, id))
    const record = data as Record<string, unknown>
    const title = resource.title.map((name) => record[name]).filter(Boolean)
    return {
      ...{ id: `${type}:${record.id}`, title: title.join(' '), text: JSON.stringify(record) },
      ...{ url: urlOf(agent, type, String(record.id)), metadata: { type, updated_at: record.updated_at } },
    }
  },
}

/** Where the console shows a record. */
function urlOf({ consoleUrl, credential }: Agent, type: string, id: string): string {
  const resource = readTypes.find(({ name }) => name === type)
  if (!resource) throw new ApiError('NOT_FOUND', `There is no type ${type}`)
  return `${consoleUrl}${credential.environment === 'test' ? '/test' : ''}/${pluralOf(resource)}/${id}`
}
