import type { Migration } from '../migrate.ts'

/** The currency and the time zone of a company, and its exchange rates (decision T8). */
export const exchangeRates: Migration = {
  version: 29,
  sql: `
  ALTER TABLE company ADD COLUMN currency TEXT NOT NULL DEFAULT 'EUR' CONSTRAINT company_currency CHECK (currency GLOB '[A-Z][A-Z][A-Z]');
  ALTER TABLE company ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC' CONSTRAINT company_time_zone CHECK (length(time_zone) BETWEEN 1 AND 100);
  CREATE TABLE exchange_rate (
    workspace_id INTEGER NOT NULL,
    id           TEXT NOT NULL,
    currency     TEXT NOT NULL,
    currency_key TEXT NOT NULL,
    rate         TEXT NOT NULL,
    rate_key     REAL NOT NULL,
    valid_from   TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'currency', currency, 'rate', json(rate), 'valid_from', valid_from, 'created_at', created_at,
      'updated_at', updated_at
    )) STORED,
    currency_unique TEXT,
    CONSTRAINT exchange_rate_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT exchange_rate_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT exchange_rate_rate CHECK (json_type(rate) IN ('integer', 'real') AND CAST(rate AS REAL) BETWEEN 1e-12 AND 1000000000)
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX exchange_rate_currency_unique ON exchange_rate (workspace_id, valid_from, currency_unique) WHERE deleted_at IS NULL;
  CREATE INDEX exchange_rate_currency ON exchange_rate (workspace_id, currency_key, currency, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX exchange_rate_rate ON exchange_rate (workspace_id, rate_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX exchange_rate_valid_from ON exchange_rate (workspace_id, valid_from, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX exchange_rate_updated_at ON exchange_rate (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

  CREATE TRIGGER exchange_rate_insert AFTER INSERT ON exchange_rate BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'exchange_rate', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'exchange_rate', new.id);
  END;
  CREATE TRIGGER exchange_rate_search_update AFTER UPDATE OF currency_key ON exchange_rate BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'exchange_rate', new.id);
  END;
  CREATE TRIGGER exchange_rate_count_delete AFTER UPDATE OF deleted_at ON exchange_rate
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'exchange_rate';
  END;
  CREATE TRIGGER exchange_rate_restore AFTER UPDATE OF deleted_at ON exchange_rate
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'exchange_rate';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'exchange_rate', new.id);
  END;

  CREATE INDEX exchange_rate_latest ON exchange_rate (workspace_id, currency, valid_from, rate) WHERE deleted_at IS NULL;
  `,
}
