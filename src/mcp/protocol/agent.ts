import type { Credential } from '../../access/credentials.ts'
import type { McpMode } from '../../access/key.ts'
import { type ApiResponse, textOf } from '../../engine/api/call/http-response.ts'
import type { InnerRequest } from '../../engine/api/call/route.ts'
import { ApiError } from '../../errors.ts'
import { parseExact } from '../../lib/exact-json.ts'
import type { Client } from './revision.ts'

/** Who calls a tool, and with which rights. */
export interface Agent extends Client {
  credential: Credential
  mode: McpMode
  /** Runs a request of the API as the agent's key. Throws ApiError. */
  perform(request: InnerRequest): Promise<ApiResponse>
  /** Throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE if there is no memory for another long reply. */
  requireCapacity(): void
  /** The address of the console, without a slash at the end. */
  consoleUrl: string
  now(): number
  requestId: string
  /** Authenticates what the server gives to clients and gets back. */
  secret: string
}

/** The maximum length of a result: more than one record, or one change of it, can have. */
const resultCharsMax = 2 ** 22

/** Runs a GET of the API. Returns its JSON, in which longer numbers keep their digits. Throws ApiError. */
export async function read(agent: Agent, path: string, query: Query = {}): Promise<JsonBody> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return readTarget(agent, text === '' ? path : `${path}?${text}`)
}

type Query = Readonly<Record<string, string | number | undefined>>
export type JsonBody = Record<string, unknown>

async function readText({ perform }: Agent, target: string): Promise<string> {
  const text = await textOf(await perform({ method: 'GET', target }), resultCharsMax)
  if (text.length <= resultCharsMax) return text
  throw new ApiError('INVALID_REQUEST', 'The result would be too long: ask for fewer at a time (limit)')
}

/** The same with a query string. */
export async function readTarget(agent: Agent, target: string): Promise<JsonBody> {
  return parseExact(await readText(agent, target)) as JsonBody
}
