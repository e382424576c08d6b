import type { Migration } from './migrate.ts'

/** The secret addresses of the users' calendars (decision K8). */
export const calendarFeeds: Migration = {
  version: 14,
  sql: `
  CREATE TABLE calendar_feed (
    user_id    TEXT NOT NULL,
    hash       TEXT NOT NULL,
    time_zone  TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT calendar_feed_pk PRIMARY KEY (user_id),
    CONSTRAINT calendar_feed_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
    CONSTRAINT calendar_feed_hash_unique UNIQUE (hash)
  ) STRICT, WITHOUT ROWID;
  `,
}
