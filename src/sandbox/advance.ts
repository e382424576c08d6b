import { listWorkspaceIds } from '../access/company.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { pruneLogs, sweep } from '../threads/sweep.ts'
import type { Instance } from './instance.ts'

/** What ran while a clock was advanced (decision I7). */
interface Ran {
  /** Attempts to deliver to webhooks. */
  deliveries: number
  /** Keys whose expiry was reached. */
  expired_keys: number
  /** Jobs and deliveries that were kept for 30 days. */
  removed_jobs: number
  removed_deliveries: number
  /** Changes that were older than `KONTOR_CHANGES_KEEP`. */
  removed_changes: number
}

/** How long, in milliseconds of real time, receivers may take. */
const patienceMs = 60_000

/**
 * Lets time pass until a moment. What becomes due runs at its own moment, so that a delivery which fails three times on the way is attempted
 * three times. Throws SERVICE_UNAVAILABLE if receivers take too long; the clock is then where it stopped.
 */
export async function advance({ store, clock, webhooks, changesKeepMs }: Instance, untilMs: number): Promise<Ran> {
  const beganMs = clock.now()
  const patientUntil = performance.now() + patienceMs
  const before = countAttempts(store)
  await webhooks.idle()
  for (;;) {
    const dueMs = nextDueMs(store, clock.now())
    if (dueMs === undefined || dueMs > untilMs) break
    if (performance.now() > patientUntil) throw tooSlow(clock.now())
    clock.advanceTo(dueMs)
    await webhooks.idle()
  }
  clock.advanceTo(untilMs)
  const deliveries = countAttempts(store) - before
  const kept = countKept(store)
  await sweep(store)
  const left = countKept(store)
  return {
    deliveries,
    expired_keys: countExpired(store, beganMs, untilMs),
    removed_jobs: kept.jobs - left.jobs,
    removed_deliveries: kept.deliveries - left.deliveries,
    removed_changes: changesKeepMs === undefined ? 0 : await pruneLogs(store, changesKeepMs),
  }
}

/** When the next attempt after a moment is due. */
function nextDueMs(store: Store, nowMs: number): number | undefined {
  const sql = `SELECT min(next_at) FROM webhook_delivery
    JOIN webhook ON webhook.workspace_id = :workspace AND webhook.id = webhook_id
    WHERE webhook_delivery.workspace_id = :workspace AND next_at > ? AND is_active = 1 AND webhook.deleted_at IS NULL`
  const due = readersOf(store).flatMap((reader) => reader.value<number | null>(sql, nowMs) ?? [])
  return due.length === 0 ? undefined : Math.min(...due)
}

function countAttempts(store: Store): number {
  return sum(store, 'SELECT ifnull(sum(tries), 0) FROM webhook_delivery WHERE workspace_id = :workspace')
}

function countKept(store: Store): { jobs: number; deliveries: number } {
  return {
    jobs: sum(store, 'SELECT count(*) FROM bulk_job WHERE workspace_id = :workspace'),
    deliveries: sum(store, 'SELECT count(*) FROM webhook_delivery WHERE workspace_id = :workspace'),
  }
}

function countExpired(store: Store, fromMs: number, untilMs: number): number {
  const sql = `SELECT count(*) FROM api_key
    WHERE workspace_id = :workspace AND revoked_at IS NULL AND expires_at > ? AND expires_at <= ?`
  return sum(store, sql, timestamp(fromMs), timestamp(untilMs))
}

function sum(store: Store, sql: string, ...params: string[]): number {
  return readersOf(store).reduce((total, reader) => total + reader.value<number>(sql, ...params)!, 0)
}

function readersOf(store: Store): Reader[] {
  return listWorkspaceIds(store.access).map((id) => store.workspace(id))
}

function tooSlow(nowMs: number): ApiError {
  const message = `Receivers of webhooks take too long: the clock stopped at ${timestamp(nowMs)}; advance it again`
  return new ApiError('SERVICE_UNAVAILABLE', message)
}
