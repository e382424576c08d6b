import { setTimeout as delay } from 'node:timers/promises'
import type { JobError } from '../../crm/bulk-batch.ts'
import { OperatorError } from '../../errors.ts'
import type { ListRecords } from '../../files/references.ts'
import type { DeclaredField } from '../../files/shape.ts'

/** A client of the API. */
export interface Api {
  /** Imports up to a thousand records: submits them, with retries that cannot import them twice, and waits for the end of the job. */
  importAll(records: readonly unknown[], submitId: string): Promise<Job>
  /** The declared fields of a resource; none if the key may not read them. */
  declaredFields(resource: string): Promise<DeclaredField[]>
  list: ListRecords
  /** Throws OperatorError if the server does not know these members of the envelope, and would ignore them. */
  requireEnvelope(names: readonly string[]): Promise<void>
}

/** What the envelope of a bulk import says besides the records. */
export interface Envelope {
  match_on?: string
  mode?: string
  dry_run?: true
}

export interface Job {
  status: string
  successful_records: number
  failed_records: number
  errors: JobError[]
}

interface ApiResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a server
  body: any
  headers: Headers
}

const attemptsMax = 8
const backoffMs = 500
const backoffMsMax = 30_000
const pollMs = 100
const pollMsMax = 3_000

/** `path` is the endpoint of the import. Throws OperatorError if the server rejects a request. */
export function connect(
  { url, key, path, envelope }: { url: string; key: string; path: string; envelope: Envelope },
  notify: (waiting: string) => void,
): Api {
  const base = url.replace(/\/+$/, '')
  return {
    async importAll(records, submitId) {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': submitId }
      const submitted = await request(path, { method: 'POST', headers, body: JSON.stringify({ ...envelope, records }) })
      const job = `/api-v1-bulk/jobs/${submitted.body.data.job_id}`
      for (let waitMs = pollMs; ; waitMs = Math.min(waitMs * 1.5, pollMsMax)) {
        const { data } = (await request(job, {})).body
        if (data.completed_at !== null) return data
        await delay(waitMs)
      }
    },
    async declaredFields(resource) {
      const { status, body } = await request(`/api-v1-fields?resource=${resource}&limit=100`, {}, [403])
      return status === 403 ? [] : body.data
    },
    async list(path, query) {
      const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      const { data, pagination } = (await request(`/${path}?${parameters}`, {})).body
      return { data, total: pagination.total }
    },
    async requireEnvelope(names) {
      const { body } = await request('/openapi.json', {})
      const { schema } = body?.paths?.[path]?.post?.requestBody?.content?.['application/json'] ?? {}
      const text = JSON.stringify([schema, schema?.$ref && body.components?.schemas?.[schema.$ref.split('/').at(-1)]])
      const missing = names.find((name) => !text.includes(`"${name}":`))
      if (missing) throw new OperatorError(`${base} does not support ${missing}: upgrade the server.`)
    },
  }

  /** `accepted`: statuses of errors that are returned. */
  async function request(path: string, init: RequestInit, accepted: number[] = []): Promise<ApiResponse> {
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` }
    for (let attempt = 1; ; attempt++) {
      const response = await send(`${base}${path}`, { ...init, headers })
      if ('status' in response && (response.status < 300 || accepted.includes(response.status))) return response
      const waitMs = retryMs(response, attempt)
      if (waitMs === undefined) throw refused(base, response)
      notify(
        `${'status' in response ? response.body?.error?.message : response.fault}; trying again in ${Math.ceil(waitMs / 1000)} s`,
      )
      await delay(waitMs)
    }
  }
}

async function send(url: string, init: RequestInit): Promise<ApiResponse | { fault: string }> {
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text) }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return { fault: cause?.message || message }
  }
}

/** spec: Errors. Retries 429 after `Retry-After` without a limit, and 5xx and lost connections with increasing delays. Other errors are final. */
function retryMs(response: ApiResponse | { fault: string }, attempt: number): number | undefined {
  const passing = !('status' in response) || response.status >= 500
  const after = 'status' in response ? Number(response.headers.get('retry-after') ?? Number.NaN) * 1000 : Number.NaN
  if ('status' in response && !passing && Number.isNaN(after)) return undefined
  if (passing && attempt >= attemptsMax) return undefined
  return Number.isNaN(after) ? Math.min(backoffMs * 2 ** (attempt - 1), backoffMsMax) : after
}

function refused(base: string, response: ApiResponse | { fault: string }): OperatorError {
  if (!('status' in response)) return new OperatorError(`${base} cannot be reached: ${response.fault}.`)
  const { code, message } = response.body?.error ?? {}
  return new OperatorError(
    code
      ? `The server rejected the request: ${message} (${code}).`
      : `${base} responded with ${response.status}: is it a Kontor server?`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
