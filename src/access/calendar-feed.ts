import type { Reader, Writer } from '../store/reader.ts'
import { findWorkspaceId } from './company.ts'
import { generateToken, hashToken } from './token.ts'

/** What is known of a user's calendar without its secret address. */
export interface CalendarFeed {
  created_at: string
  /** The time zone in which a due date without a time is a day: `Europe/Berlin`. */
  time_zone: string
}

/** A calendar that was found by its address. */
interface OpenedFeed {
  hash: string
  userId: string
  companyId: string
  /** The live workspace of the user's company. */
  workspaceId: number
  timeZone: string
}

/** How each token begins, so that logs can mask it. */
const prefix = 'cal_'

/** Creates the secret token of a user's calendar, which replaces an earlier one (decision K8). */
export function insertCalendarFeed(tx: Writer, userId: string, timeZone: string): string {
  removeCalendarFeed(tx, userId)
  const token = prefix + generateToken()
  tx.run('INSERT INTO calendar_feed VALUES (?, ?, ?, ?)', userId, hashToken(token), timeZone, tx.now)
  return token
}

/** Returns whether there was one. */
export function removeCalendarFeed(tx: Writer, userId: string): boolean {
  return tx.run('DELETE FROM calendar_feed WHERE user_id = ?', userId) > 0
}

export function lookupCalendarFeed(reader: Reader, userId: string): CalendarFeed | undefined {
  return reader.row<CalendarFeed>('SELECT created_at, time_zone FROM calendar_feed WHERE user_id = ?', userId)
}

/** Finds a calendar by its token. Undefined if it was revoked or replaced, or its user is not active. */
export function openCalendarFeed(reader: Reader, token: string): OpenedFeed | undefined {
  const sql = `SELECT hash, user_id AS userId, company_id AS companyId, time_zone AS timeZone
    FROM calendar_feed JOIN user ON user.id = user_id WHERE hash = ? AND is_active = 1`
  const found = reader.row<Omit<OpenedFeed, 'workspaceId'>>(sql, hashToken(token))
  return found && { ...found, workspaceId: findWorkspaceId(reader, found.companyId, 'live') }
}
