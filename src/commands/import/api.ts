import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../../errors.ts'
import type { RowResult } from '../../features/imports/results.ts'
import { type ListRecords, undeclaredText } from '../../files/find-references.ts'
import type { DeclaredField } from '../../files/shape.ts'
import { redirectionOf, type Unreached, unreached } from '../../lib/unreached.ts'
import { readServerUrl } from '../server-url.ts'

/** A client of the API. */
export interface Api {
  /**
   * Imports up to a thousand records: submits them, with retries that cannot import them twice, and waits for the end of the job. Returns
   * the job with the result of each.
   */
  importAll(records: readonly unknown[], submit: Submit): Promise<RowResult[]>
  /** The declared fields of a resource; none if the key may not read them. */
  declaredFields(resource: string): Promise<DeclaredField[]>
  list: ListRecords
  /** Throws OperatorError if the server has no results, or does not know these members of the envelope and would ignore them. */
  requireSupport(names: readonly string[]): Promise<void>
}

interface Submit {
  /** The same for each attempt. */
  id: string
  envelope: Envelope
  /** Called with the id of the job before it ends. */
  onJob(id: string): void
}

/** What the envelope of a bulk import says besides the records. */
export interface Envelope {
  match_on?: string
  mode?: string
  dry_run?: true
}

interface ApiResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a server
  body: any
  text: string
  headers: Headers
}

const resultsPath = '/api-v1-bulk/jobs/{id}/results'

const attemptsMax = 8
const backoffMs = 500
const backoffMsMax = 30_000
const pollMs = 100
const pollMsMax = 3_000

/** `path` is the endpoint of the import. Throws ConfigError (the URL), OperatorError if the server rejects a request. */
export function connect(
  { url, key, path }: { url: string; key: string; path: string },
  notify: (waiting: string) => void,
): Api {
  const base = readServerUrl(url)
  let isReached = false
  return {
    async importAll(records, { id: submitId, envelope, onJob }) {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': submitId }
      const submitted = await request(path, { method: 'POST', headers, body: JSON.stringify({ ...envelope, records }) })
      const id = submitted.body.data.job_id as string
      onJob(id)
      const job = `/api-v1-bulk/jobs/${id}`
      for (let waitMs = pollMs; ; waitMs = Math.min(waitMs * 1.5, pollMsMax)) {
        if ((await request(job, {})).body.data.completed_at !== null) break
        await delay(waitMs)
      }
      const { text } = await request(`${job}/results`, {})
      return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
    },
    async declaredFields(resource) {
      const { status, body } = await request(`/api-v1-fields?resource=${resource}&limit=100`, {}, [403])
      return status === 403 ? [] : body.data
    },
    async list(path, query, isLoose) {
      const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      const response = await request(`/${path}?${parameters}`, {}, [400])
      const { data, pagination, error } = response.body
      if (!error) return { data, total: pagination.total }
      const undeclared = undeclaredText(path, error.message)
      if (undeclared && isLoose) return { data: [], total: 0 }
      throw undeclared ? new OperatorError(`${undeclared}.`) : refused(base, response)
    },
    async requireSupport(names) {
      const { body } = await request('/openapi.json', {})
      const { schema } = body?.paths?.[path]?.post?.requestBody?.content?.['application/json'] ?? {}
      const text = JSON.stringify([schema, schema?.$ref && body.components?.schemas?.[schema.$ref.split('/').at(-1)]])
      const missing = names.find((name) => !text.includes(`"${name}":`))
      const unknown = missing ?? (body?.paths?.[resultsPath] ? undefined : 'results of imports')
      if (unknown) throw new OperatorError(`${base} does not support ${unknown}: upgrade the server.`)
    },
  }

  /** `accepted`: statuses of errors that are returned. */
  async function request(path: string, init: RequestInit, accepted: number[] = []): Promise<ApiResponse> {
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` }
    for (let attempt = 1; ; attempt++) {
      const response = await send(`${base}${path}`, { ...init, headers })
      isReached ||= 'status' in response
      if ('status' in response && (response.status < 300 || accepted.includes(response.status))) return response
      const isWrong = !isReached && 'fault' in response && response.isAddress
      const waitMs = isWrong ? undefined : retryMs(response, attempt)
      if (waitMs === undefined) throw refused(base, response)
      notify(
        `${'status' in response ? response.body?.error?.message : response.fault}; trying again in ${Math.ceil(waitMs / 1000)} s`,
      )
      await delay(waitMs)
    }
  }
}

async function send(url: string, init: RequestInit): Promise<ApiResponse | Unreached> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  } catch (error) {
    return unreached(error)
  }
}

/** spec: Errors. Retries 429 after `Retry-After` without a limit, and 5xx and lost connections with increasing delays. Other errors are final. */
function retryMs(response: ApiResponse | Unreached, attempt: number): number | undefined {
  const passing = !('status' in response) || response.status >= 500
  const after = 'status' in response ? Number(response.headers.get('retry-after') ?? Number.NaN) * 1000 : Number.NaN
  if ('status' in response && !passing && Number.isNaN(after)) return undefined
  if (passing && attempt >= attemptsMax) return undefined
  return Number.isNaN(after) ? Math.min(backoffMs * 2 ** (attempt - 1), backoffMsMax) : after
}

/** What the server has refused for certain: nothing of the request was done. */
export class Refused extends OperatorError {}

function refused(base: string, response: ApiResponse | Unreached): OperatorError {
  if (!('status' in response)) {
    const advice = response.isAddress ? ': correct --url' : ''
    return new OperatorError(`${base} cannot be reached: ${response.fault}${advice}.`)
  }
  const { code, message } = response.body?.error ?? {}
  const redirection = redirectionOf(base, response)
  const text = code
    ? `The server rejected the request: ${message} (${code}).${adviceFor(message)}`
    : redirection
      ? `${redirection}.`
      : `${base} responded with ${response.status}: is it a Kontor server?`
  return response.status < 500 ? new Refused(text) : new OperatorError(text)
}

/** What to do if records cannot be matched by a key of metadata. */
function adviceFor(message: string): string {
  const [, key] = /^"metadata\.(\w+)" cannot be matched on/.exec(message) ?? []
  return key ? ` Declare ${key} as a unique field, in the settings of the console or with POST /api-v1-fields.` : ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
