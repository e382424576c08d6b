import type { Migration } from './migrate.ts'

/** What others have done to a user's account, until the user has read it. */
export const accountNotices: Migration = {
  version: 18,
  sql: `
  CREATE TABLE user_notice (
    user_id      TEXT NOT NULL,
    kind         TEXT NOT NULL,
    author_id    TEXT NOT NULL, -- the user who did it
    former_email TEXT, -- before the email was changed
    created_at   TEXT NOT NULL,
    CONSTRAINT user_notice_pk PRIMARY KEY (user_id, kind, author_id),
    CONSTRAINT user_notice_kind CHECK (kind IN ('password_link', 'email')),
    CONSTRAINT user_notice_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
    CONSTRAINT user_notice_author_fk FOREIGN KEY (author_id) REFERENCES user (id)
  ) STRICT, WITHOUT ROWID;
  `,
}
