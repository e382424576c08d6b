import { listCompanies } from '../access/company.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { BackupDesk } from '../features/backups/backup-desk.ts'
import { timestamp } from '../lib/clock.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

/** The backups of a server. Times are ISO 8601. */
export interface BackupReport {
  /** Null: the server makes none. */
  schedule: { every_ms: number; keep: number } | null
  is_running: boolean
  last: { at: string; bytes: number } | null
  next_at: string | null
  /** Whether the latest attempt failed. */
  has_failed: boolean
}

/**
 * The backups in the settings. They contain all companies of the server, so only the owners of its only company may see and make them.
 * `desk`: null if the operator has not set a directory, undefined if the server cannot make backups.
 */
export function backupRoutes(desk: BackupDesk | null | undefined): ConsoleRoute[] {
  return [
    {
      method: 'GET',
      path: '/console/backups',
      for: 'member',
      run: (call) => data(desk !== undefined && isResponsible(call) ? report(desk) : null),
    },
    { method: 'POST', path: '/console/backups', for: 'member', run: (call) => make(call, desk ?? null) },
  ]
}

/** Starts a backup: 202. */
function make(call: MemberCall, desk: BackupDesk | null) {
  if (!isResponsible(call)) throw forbidden('Only owners of the only company of a server may make backups')
  if (!desk) throw new ApiError('CONFLICT', 'This server makes no backups: its operator sets KONTOR_BACKUP_DIR')
  if (!desk.makeNow()) throw new ApiError('CONFLICT', 'A backup is being made already')
  return data(report(desk), 202)
}

function isResponsible({ store, session }: MemberCall): boolean {
  return session.role === 'owner' && listCompanies(store.access).length === 1
}

function report(desk: BackupDesk | null): BackupReport {
  const { isRunning = false, last, nextAt, hasFailed = false } = desk?.state ?? {}
  return {
    schedule: desk ? { every_ms: desk.plan.everyMs, keep: desk.plan.keep } : null,
    is_running: isRunning,
    last: last ? { ...last, at: timestamp(last.at) } : null,
    next_at: nextAt === undefined ? null : timestamp(nextAt),
    has_failed: hasFailed,
  }
}
