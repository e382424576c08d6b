import type { Reader, Writer } from '../store/reader.ts'

type NoticeKind = 'password_link' | 'email'

/** What was done to a user's account with which somebody else could sign in as that user, until the user has read it. */
export interface Notice {
  kind: NoticeKind
  created_at: string
  /** The email before the change. */
  former_email: string | null
  /** The user who did it, as of now. */
  author: { full_name: string; email: string }
}

/**
 * Notes what the author of the transaction has done to an account, if that has a password and the author is a user. Of what one author does
 * again, the newest time and the first former email are kept, so no notice can be pushed out by others.
 */
export function insertNotice(tx: Writer, userId: string, kind: NoticeKind, formerEmail: string | null = null): void {
  const { type, id } = tx.origin.actor
  if (type !== 'user') return
  const sql = `INSERT INTO user_notice (user_id, kind, author_id, former_email, created_at)
    SELECT id, ?, ?, ?, ? FROM user WHERE id = ? AND password_hash IS NOT NULL
    ON CONFLICT DO UPDATE SET created_at = excluded.created_at`
  tx.run(sql, kind, id, formerEmail, tx.now, userId)
}

/** The notices that a user has not read, the oldest first. */
export function listNotices(reader: Reader, userId: string): Notice[] {
  const sql = `SELECT kind, user_notice.created_at, former_email, json_object('full_name', full_name, 'email', email) AS author
    FROM user_notice JOIN user ON user.id = author_id WHERE user_id = ? ORDER BY user_notice.created_at, kind, author_id`
  const rows = reader.rows<Omit<Notice, 'author'> & { author: string }>(sql, userId)
  return rows.map((row) => ({ ...row, author: JSON.parse(row.author) }))
}

/** Removes the notices of a user up to a time. */
export function removeNotices(tx: Writer, userId: string, until: string): void {
  tx.run('DELETE FROM user_notice WHERE user_id = ? AND created_at <= ?', userId, until)
}
