import { noUsage, reportUsage } from '../access/usage-report.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import { readParameters } from '../engine/finding/query/parameters.ts'
import type { JsonSchema } from '../engine/records/definition/about.ts'
import { invalid } from '../engine/records/definition/faults.ts'
import type { Describer } from '../engine/records/describe.ts'
import { findId } from '../engine/records/select.ts'
import { type Detail, validationError } from '../errors.ts'
import { dayMs, utcDay } from '../lib/clock.ts'
import { parseDate } from '../lib/moment.ts'
import { apiKey } from './api-key.ts'

const daysDefault = 30
const daysMax = 366

/** `GET /api-v1-keys/:id/usage`: the requests of a key by day (decisions A9, E5). */
export const keyUsageRoute: Route = {
  method: 'GET',
  path: `/${apiKey.path}/:id/usage`,
  scope: apiKey.scopes.read,
  takesBody: false,
  run: usage,
  describe: (doc) => ({
    id: 'getApiKeyUsage',
    tag: doc.tag(apiKey),
    summary: 'Get the usage of an API key',
    details: `Requests by UTC day and outcome. Default: the last ${daysDefault} days, including today.`,
    query: [
      { name: 'from', schema: day, about: `The first day, at most ${daysMax - 1} days before the last.` },
      { name: 'to', schema: day, about: 'The last day. Default: today.' },
    ],
    response: { about: 'The counts.', schema: doc.envelope('ApiKeyUsage', usageSchema(doc)) },
    example: {
      params: { id: doc.exampleId('api_key') },
      query: exampleSpan,
      response: { data: { ...exampleSpan, total: noUsage, days: [{ day: exampleSpan.from, ...noUsage }] } },
    },
  }),
}

const day = { type: 'string', format: 'date' } as const
const exampleSpan = { from: '2026-11-22', to: '2026-11-22' }

function usageSchema(doc: Describer): JsonSchema {
  const counts = Object.fromEntries(Object.keys(noUsage).map((name) => [name, { type: 'integer', minimum: 0 }]))
  const about = '`succeeded`: 2xx and 3xx; `rejected`: 4xx except 429; `rate_limited`: 429; `failed`: 5xx.'
  const total = doc.schema('RequestCounts', () => ({ ...doc.object(counts), description: about }))
  const days = { type: 'array', items: doc.schema('DailyRequestCounts', () => doc.object({ day, ...counts })) }
  return doc.schema('ApiKeyUsage', () => doc.object({ from: day, to: day, total, days }))
}

function usage(call: Call): ApiResponse {
  const { from, to } = readSpan(call)
  const id = findId(apiKey, call.reader, call.params.id!)
  return { status: 200, body: JSON.stringify({ data: reportUsage(call.access, id, from, to) }) }
}

/** The requested days. Default: the last 30, including today. */
function readSpan({ query, clock }: Call): { from: string; to: string } {
  const details: Detail[] = []
  const given = readParameters(query, ['from', 'to'], details)
  const date = (name: string, fallback: string) => {
    const text = given.get(name)
    if (text === undefined) return fallback
    if (parseDate(text)) return text
    details.push(invalid(name, `${name} must be a date YYYY-MM-DD`, 'INVALID_FORMAT'))
    return fallback
  }
  const to = date('to', utcDay(clock.now()))
  const from = date('from', utcDay(Date.parse(to) - (daysDefault - 1) * dayMs))
  if (details.length === 0) {
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
    const message = `from must be at most ${daysMax - 1} days before to, and not after it`
    if (days < 1 || days > daysMax || !parseDate(from)) details.push(invalid('from', message, 'OUT_OF_RANGE'))
  }
  if (details.length > 0) throw validationError(details)
  return { from, to }
}
