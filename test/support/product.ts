import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from './directory.ts'
import type { Command } from './program.ts'

const root = new URL('../../', import.meta.url).pathname

const table = `
CREATE TABLE product (
  workspace_id    INTEGER NOT NULL,
  id              TEXT NOT NULL,
  name            TEXT NOT NULL,
  name_key        TEXT NOT NULL,
  sku             TEXT,
  sku_key         TEXT,
  price           REAL,
  currency        TEXT NOT NULL,
  is_active       INTEGER NOT NULL,
  channels        TEXT,
  organization_id TEXT,
  description     TEXT,
  metadata        TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  deleted_at      TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'name', name, 'sku', sku,
    'price', iif(price = CAST(price AS INTEGER), CAST(price AS INTEGER), price), 'currency', currency,
    'is_active', json(iif(is_active, 'true', 'false')), 'channels', json(channels),
    'organization_id', organization_id, 'description', description,
    'metadata', json(metadata), 'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  CONSTRAINT product_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT product_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX product_sku_unique ON product (workspace_id, sku_key) WHERE deleted_at IS NULL;
CREATE INDEX product_name ON product (workspace_id, name_key, id, name, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_sku ON product (workspace_id, sku_key, id, sku, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_price ON product (workspace_id, price, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_is_active ON product (workspace_id, is_active, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_organization_id ON product (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_updated_at ON product (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;
CREATE TRIGGER product_insert AFTER INSERT ON product BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'product', 1) ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'product', new.id);
END;
CREATE TRIGGER product_search_update AFTER UPDATE OF name_key, sku_key ON product BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'product', new.id);
END;
CREATE TRIGGER product_count_delete AFTER UPDATE OF deleted_at ON product
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'product';
END;
`

const definition = `
import { resource } from '../engine/definition/define.ts'
import { metadata, reference, required } from '../engine/definition/fields.ts'
import { choices, pattern, text } from '../engine/definition/text-kinds.ts'
import { flag, number } from '../engine/definition/value-kinds.ts'
import { organization } from './organization.ts'

export const product = resource('product', {
  path: 'api-v1-products',
  scope: 'organizations',
  fields: {
    name: required(text(), 'Name is required'),
    sku: text(),
    price: number({ min: 0 }),
    currency: pattern(/^[A-Z]{3}$/, 'a currency code of three letters', { default: 'EUR' }),
    is_active: flag({ default: true }),
    channels: choices(['shop', 'web', 'phone']),
    organization_id: reference(organization),
    description: text({ max: 100_000 }),
    metadata: metadata(),
  },
  filters: ['name', 'sku', 'price', 'is_active', 'organization_id', 'created_at', 'updated_at'],
  sorts: ['name', 'price', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  relations: { organization: { target: organization, by: 'organization_id' } },
  summary: ['id', 'name'],
  unique: 'sku',
  about: { summary: 'Something that is sold.', example: { name: 'Gift basket' } },
})
`

/** A server of a copy of this tree with one more resource, added as a contributor would: its table, its definition, and a line in src/crm/index.ts. */
export function programWithProduct(t: Pick<TestContext, 'after'>): Command {
  const copy = temporaryDirectory(t)
  for (const path of ['src', 'schema.sql', 'package.json', 'tsconfig.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'src/crm/product.ts'), definition)
  change(join(copy, 'schema.sql'), (text) => text + table)
  change(join(copy, 'src/crm/index.ts'), (text) =>
    `import { product } from './product.ts'\n${text}`.replace(
      'Resource[] = [organization,',
      'Resource[] = [organization, product,',
    ),
  )
  return [process.execPath, join(copy, 'src/main.ts')]
}

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
}
