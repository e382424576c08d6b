import type { Migration } from '../migrate.ts'

/** Products and line items, and the value that a deal had before its first line item (decision T3). */
export const lineItems: Migration = {
  version: 26,
  sql: `
  ALTER TABLE deal ADD COLUMN entered_value REAL;
  CREATE TABLE product (
    workspace_id INTEGER NOT NULL,
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    name_key     TEXT NOT NULL,
    sku          TEXT,
    sku_key      TEXT,
    price        TEXT NOT NULL,
    price_key    REAL NOT NULL,
    currency     TEXT NOT NULL,
    currency_key TEXT NOT NULL,
    unit         TEXT,
    is_active    INTEGER NOT NULL,
    description  TEXT,
    metadata     TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'name', name, 'sku', sku, 'price', json(price), 'currency', currency, 'unit', unit,
      'is_active', json(iif(is_active, 'true', 'false')), 'description', description, 'metadata', json(metadata),
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    sku_unique TEXT,
    CONSTRAINT product_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT product_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT product_price CHECK (json_type(price) IN ('integer', 'real') AND CAST(price AS REAL) BETWEEN -1000000000000 AND 1000000000000),
    CONSTRAINT product_is_active CHECK (is_active IN (0, 1)),
    CONSTRAINT product_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX product_sku_unique ON product (workspace_id, sku_unique) WHERE deleted_at IS NULL;
  CREATE INDEX product_name ON product (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX product_sku ON product (workspace_id, sku_key, sku, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX product_price ON product (workspace_id, price_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX product_currency ON product (workspace_id, currency_key, currency, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX product_is_active ON product (workspace_id, is_active, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX product_updated_at ON product (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

  CREATE TRIGGER product_insert AFTER INSERT ON product BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'product', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'product', new.id);
  END;
  CREATE TRIGGER product_search_update AFTER UPDATE OF name_key, sku_key, currency_key ON product BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'product', new.id);
  END;
  CREATE TRIGGER product_count_delete AFTER UPDATE OF deleted_at ON product
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'product';
  END;
  CREATE TRIGGER product_restore AFTER UPDATE OF deleted_at ON product
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'product';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'product', new.id);
  END;

  CREATE TABLE line_item (
    workspace_id     INTEGER NOT NULL,
    id               TEXT NOT NULL,
    deal_id          TEXT NOT NULL,
    product_id       TEXT,
    name             TEXT NOT NULL,
    name_key         TEXT NOT NULL,
    quantity         TEXT NOT NULL,
    unit_price       TEXT NOT NULL,
    discount_percent TEXT NOT NULL,
    tax_percent      TEXT NOT NULL,
    position         INTEGER NOT NULL,
    total            TEXT NOT NULL,
    total_key        REAL NOT NULL,
    metadata         TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    deleted_at       TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'deal_id', deal_id, 'product_id', product_id, 'name', name, 'quantity', json(quantity),
      'unit_price', json(unit_price), 'discount_percent', json(discount_percent), 'tax_percent', json(tax_percent),
      'position', position, 'total', json(total), 'metadata', json(metadata), 'created_at', created_at,
      'updated_at', updated_at
    )) STORED,
    CONSTRAINT line_item_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT line_item_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT line_item_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
    CONSTRAINT line_item_product_id_fk FOREIGN KEY (workspace_id, product_id) REFERENCES product (workspace_id, id),
    CONSTRAINT line_item_quantity CHECK (json_type(quantity) IN ('integer', 'real') AND CAST(quantity AS REAL) BETWEEN -1000000000 AND 1000000000),
    CONSTRAINT line_item_unit_price CHECK (json_type(unit_price) IN ('integer', 'real') AND CAST(unit_price AS REAL) BETWEEN -1000000000000 AND 1000000000000),
    CONSTRAINT line_item_discount_percent CHECK (json_type(discount_percent) IN ('integer', 'real') AND CAST(discount_percent AS REAL) BETWEEN 0 AND 100),
    CONSTRAINT line_item_tax_percent CHECK (json_type(tax_percent) IN ('integer', 'real') AND CAST(tax_percent AS REAL) BETWEEN 0 AND 100),
    CONSTRAINT line_item_position CHECK (position >= 0),
    CONSTRAINT line_item_total CHECK (json_type(total) IN ('integer', 'real') AND CAST(total AS REAL) BETWEEN -2000000000000000 AND 2000000000000000),
    CONSTRAINT line_item_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX line_item_deal_id ON line_item (workspace_id, deal_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX line_item_product_id ON line_item (workspace_id, product_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX line_item_name ON line_item (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX line_item_position ON line_item (workspace_id, position, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX line_item_total ON line_item (workspace_id, total_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX line_item_updated_at ON line_item (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

  CREATE TRIGGER line_item_insert AFTER INSERT ON line_item BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'line_item', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'line_item', new.id);
  END;
  CREATE TRIGGER line_item_search_update AFTER UPDATE OF name_key ON line_item BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'line_item', new.id);
  END;
  CREATE TRIGGER line_item_count_delete AFTER UPDATE OF deleted_at ON line_item
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'line_item';
  END;
  CREATE TRIGGER line_item_restore AFTER UPDATE OF deleted_at ON line_item
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'line_item';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'line_item', new.id);
  END;

  CREATE INDEX line_item_deal ON line_item (workspace_id, deal_id, position, id);
  `,
}
