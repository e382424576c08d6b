/** A further resource, as a file of src/crm. */
export const definition = `
import { resource } from '../engine/definition/define.ts'
import { metadata, reference, required } from '../engine/definition/fields.ts'
import { pattern, text } from '../engine/definition/text-kinds.ts'
import { flag, number } from '../engine/definition/value-kinds.ts'
import { organization } from './organization.ts'

/** An article that is sold. */
export const product = resource('product', {
  path: 'api-v1-products',
  scope: 'organizations',
  fields: {
    name: required(text(), 'Name is required'),
    sku: text(),
    price: number({ min: 0, default: 0 }),
    currency: pattern(/^[A-Za-z]{3}$/, 'a currency code of three letters', {
      examples: ['EUR', 'CHF', 'USD'],
      default: 'EUR',
      store: (code) => code.toUpperCase(),
    }),
    is_available: flag({ default: true }),
    description: text({ max: 100_000 }),
    organization_id: reference(organization),
    metadata: metadata(),
  },
  filters: ['name', 'sku', 'price', 'currency', 'is_available', 'organization_id', 'created_at', 'updated_at'],
  sorts: ['name', 'sku', 'price', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  relations: { organization: { target: organization, by: 'organization_id' } },
  summary: ['id', 'name'],
  unique: 'sku',
  about: {
    summary: 'An article that is sold.',
    fields: { sku: 'Differs from that of every other product, case-insensitively.', organization_id: 'Its supplier.' },
    example: { name: 'Christmas hamper', sku: 'HAMPER-1', price: 49.5, description: 'With wine and cheese.' },
    patch: { price: 52 },
  },
})
`.trimStart()

/** Its table, as `npm run ddl product` prints it: for schema.sql and for the migration step. */
export const table = `
CREATE TABLE product (
  workspace_id    INTEGER NOT NULL,
  id              TEXT NOT NULL,
  name            TEXT NOT NULL,
  name_key        TEXT NOT NULL,
  sku             TEXT,
  sku_key         TEXT,
  price           REAL NOT NULL,
  currency        TEXT NOT NULL,
  currency_key    TEXT NOT NULL,
  is_available    INTEGER NOT NULL,
  description     TEXT,
  organization_id TEXT,
  metadata        TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  deleted_at      TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'name', name, 'sku', sku, 'price', iif(price = CAST(price AS INTEGER), CAST(price AS INTEGER), price),
    'currency', currency, 'is_available', json(iif(is_available, 'true', 'false')), 'description', description,
    'organization_id', organization_id, 'metadata', json(metadata), 'created_at', created_at,
    'updated_at', updated_at
  )) STORED,
  CONSTRAINT product_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT product_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT product_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
  CONSTRAINT product_price CHECK (price >= 0),
  CONSTRAINT product_is_available CHECK (is_available IN (0, 1)),
  CONSTRAINT product_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX product_sku_unique ON product (workspace_id, sku_key) WHERE deleted_at IS NULL;
CREATE INDEX product_name ON product (workspace_id, name_key, id, name, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_sku ON product (workspace_id, sku_key, id, sku, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_price ON product (workspace_id, price, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_currency ON product (workspace_id, currency_key, id, currency, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_is_available ON product (workspace_id, is_available, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_organization_id ON product (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
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
`
