import { setTimeout as delay } from 'node:timers/promises'
import type { RowError } from '../../crm/bulk-batch.ts'
import { OperatorError } from '../../errors.ts'

/** A server that is spoken to with a key. */
export interface Api {
  /** Imports up to a thousand records: submits them, once however often it has to be tried, and waits for the end of the job. */
  importAll(records: readonly unknown[], submitId: string): Promise<Job>
}

export interface Job {
  status: string
  successful_records: number
  failed_records: number
  errors: RowError[]
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

/** `path` is where records are submitted. Throws OperatorError for what the server refuses. */
export function connect(url: string, key: string, path: string, notify: (waiting: string) => void): Api {
  const base = url.replace(/\/+$/, '')
  return {
    async importAll(records, submitId) {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': submitId }
      const submitted = await request(path, { method: 'POST', headers, body: JSON.stringify({ records }) })
      const job = `/api-v1-bulk/jobs/${submitted.body.data.job_id}`
      for (let waitMs = pollMs; ; waitMs = Math.min(waitMs * 1.5, pollMsMax)) {
        const { data } = (await request(job, {})).body
        if (data.completed_at !== null) return data
        await delay(waitMs)
      }
    },
  }

  async function request(path: string, init: RequestInit): Promise<ApiResponse> {
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` }
    for (let attempt = 1; ; attempt++) {
      const answer = await send(`${base}${path}`, { ...init, headers })
      if ('status' in answer && answer.status < 300) return answer
      const waitMs = retryMs(answer, attempt)
      if (waitMs === undefined) throw refused(base, answer)
      notify(
        `${'status' in answer ? answer.body?.error?.message : answer.fault}; trying again in ${Math.ceil(waitMs / 1000)} s`,
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

/** spec: Errors: 429 after `Retry-After` however often it comes, 5xx and lost connections with growing pauses; the rest is final. */
function retryMs(answer: ApiResponse | { fault: string }, attempt: number): number | undefined {
  const passing = !('status' in answer) || answer.status >= 500
  const after = 'status' in answer ? Number(answer.headers.get('retry-after') ?? Number.NaN) * 1000 : Number.NaN
  if ('status' in answer && !passing && Number.isNaN(after)) return undefined
  if (passing && attempt >= attemptsMax) return undefined
  return Number.isNaN(after) ? Math.min(backoffMs * 2 ** (attempt - 1), backoffMsMax) : after
}

function refused(base: string, answer: ApiResponse | { fault: string }): OperatorError {
  if (!('status' in answer)) return new OperatorError(`${base} cannot be reached: ${answer.fault}.`)
  const { code, message } = answer.body?.error ?? {}
  return new OperatorError(
    code ? `The server refused: ${message} (${code}).` : `${base} answered ${answer.status}: is it a Kontor server?`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
