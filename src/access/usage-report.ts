import { dayMs, utcDay } from '../lib/clock.ts'
import type { Reader } from '../store/reader.ts'

/** Requests by outcome. */
export interface UsageCounts {
  requests: number
  /** 2xx and 3xx */
  succeeded: number
  /** 4xx except 429 */
  rejected: number
  /** 429 */
  rate_limited: number
  /** 5xx */
  failed: number
}

export interface UsageReport {
  from: string
  to: string
  total: UsageCounts
  /** Every day of the period, oldest first. */
  days: ({ day: string } & UsageCounts)[]
}

type StoredDay = { day: string } & Omit<UsageCounts, 'requests'>

export const noUsage: UsageCounts = { requests: 0, succeeded: 0, rejected: 0, rate_limited: 0, failed: 0 }

/** The usage of a key between two UTC days `YYYY-MM-DD`, both included (decision A9). */
export function reportUsage(reader: Reader, keyId: string, from: string, to: string): UsageReport {
  const sql = `SELECT day, succeeded, rejected, rate_limited, failed FROM api_key_usage
    WHERE api_key_id = ? AND day BETWEEN ? AND ?`
  const stored = new Map(reader.rows<StoredDay>(sql, keyId, from, to).map((row) => [row.day, countsOf(row)]))
  const days = daysBetween(from, to).map((day) => ({ day, ...(stored.get(day) ?? noUsage) }))
  return { from, to, total: days.reduce(addUsage, noUsage), days }
}

function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return Array.from({ length: count }, (_, index) => utcDay(Date.parse(from) + index * dayMs))
}

function countsOf({ succeeded, rejected, rate_limited, failed }: StoredDay): UsageCounts {
  return { requests: succeeded + rejected + rate_limited + failed, succeeded, rejected, rate_limited, failed }
}

export function addUsage(a: UsageCounts, b: UsageCounts): UsageCounts {
  return {
    requests: a.requests + b.requests,
    succeeded: a.succeeded + b.succeeded,
    rejected: a.rejected + b.rejected,
    rate_limited: a.rate_limited + b.rate_limited,
    failed: a.failed + b.failed,
  }
}
