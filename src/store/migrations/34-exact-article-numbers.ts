import type { Migration } from '../migrate.ts'

/** Article numbers of products are unique as they are; so far, case-insensitively (decision T3). */
export const exactArticleNumbers: Migration = {
  version: 34,
  sql: `
  DROP INDEX product_sku_unique;
  ALTER TABLE product DROP COLUMN sku_unique;
  CREATE UNIQUE INDEX product_sku_unique ON product (workspace_id, sku) WHERE deleted_at IS NULL;
`,
}
