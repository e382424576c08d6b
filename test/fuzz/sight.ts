import { resources } from '../../src/features/index.ts'
import { send } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

/** Somebody who looks at everything: the headers of the requests. */
export interface Observer {
  name: string
  headers: Record<string, string>
}

/** What a response says, in a form that can be compared. */
type Seen = Record<string, unknown>

/** Lists whose records tell when they were used last, which is no business of messages. */
const unstable = ['api_key']
const shown = resources.filter(({ name, operations }) => operations.includes('list') && !unstable.includes(name))
/** Messages belong to them: each of their records is looked at. */
const near = ['organization', 'contact', 'deal', 'message', 'file']
const files = ['text/csv', 'application/x-ndjson']

/** Everything that an observer is shown of a workspace, by request. `words` are also searched; exports and the snapshot take longer. */
export async function look(
  url: string,
  observer: Observer,
  { words, withFiles }: { words: readonly string[]; withFiles: boolean },
): Promise<Seen> {
  const seen: Seen = {}
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await send(`${url}${path}`, { headers: { ...observer.headers, ...headers } })
    const etag = answer.headers.get('etag')
    seen[`${path} ${headers.Accept ?? ''}`] = { status: answer.status, etag, body: comparable(path, answer.body) }
    return answer.body
  }
  for (const { path, counted, name } of shown) {
    const { data } = await ask(`/${path}?page=1`)
    if (!near.includes(name)) continue
    await ask(`/${path}?limit=2`)
    for (const accept of withFiles ? files : []) await ask(`/${path}`, { Accept: accept })
    if (counted) await ask(`/${path}/summary`)
    for (const { id } of data as JsonRecord[]) {
      await ask(`/${path}/${id}`)
      await ask(`/${path}/${id}/history`)
    }
  }
  for (const word of words) await ask(`/api-v1-search?q=${word}`)
  for (const path of [...others, ...(withFiles ? [`/api-v1-snapshot?types=${near},task,activity`] : [])])
    await ask(path)
  return seen
}

const others = [
  '/api-v1-changes?limit=1000',
  '/api-v1-contacts/duplicates',
  '/api-v1-contacts?sort=-last_activity_at',
  '/api-v1-deals?include=contact,organization,contacts&sort=-last_activity_at',
  '/api-v1-mail-addresses',
  '/api-v1-me',
  '/api-v1-organizations?last_activity_at[gt]=2000-01-01T00:00:00Z',
  '/api-v1-proposals',
  '/api-v1-trash?page=1',
]

/** A body without what shows that something happens: numbers of changes have gaps, and bytes count for the company (decision P7). */
function comparable(path: string, body: unknown): unknown {
  if (path.startsWith('/api-v1-snapshot')) return String(body).split('\n').slice(1)
  if (path.startsWith('/api-v1-changes')) return (body as { data: unknown }).data
  if (path === '/api-v1-me') return { ...(body as JsonRecord).data, usage: null, key: null }
  return body
}

/** The requests whose responses differ, with what follows where they begin to. */
export function differences(before: Seen, after: Seen): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [was = '', is = ''] = [before[name], after[name]].map((each) => JSON.stringify(each))
    if (was === is) return []
    const from = Math.max(0, [...was].findIndex((letter, at) => letter !== is[at]) - 40)
    return [`${name}\n  was ${was.slice(from, from + 300)}\n  is  ${is.slice(from, from + 300)}`]
  })
}
