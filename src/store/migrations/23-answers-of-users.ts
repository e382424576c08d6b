import type { Migration } from '../migrate.ts'

/** The responses to POST requests of signed-in users with an Idempotency-Key (decision B15). */
export const answersOfUsers: Migration = {
  version: 23,
  sql: `
  CREATE TABLE idempotent_user_answer (
    workspace_id INTEGER NOT NULL,
    user_id      TEXT NOT NULL,
    key          TEXT NOT NULL,
    request      TEXT NOT NULL, -- SHA-256 of method, path, query and body
    answer       TEXT NOT NULL, -- encrypted with a key derived from webhook_key
    created_at   TEXT NOT NULL,
    CONSTRAINT idempotent_user_answer_pk PRIMARY KEY (workspace_id, user_id, key),
    CONSTRAINT idempotent_user_answer_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT idempotent_user_answer_user_fk FOREIGN KEY (user_id) REFERENCES user (id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotent_user_answer_created_at ON idempotent_user_answer (workspace_id, created_at);
  `,
}
