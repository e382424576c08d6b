import type { Migration } from '../migrate.ts'

/** All digits of a deal's value where a double does not have them. A value that was a sum before gets them with the next change of its line items. */
export const valueDigits: Migration = {
  version: 36,
  sql: `
  ALTER TABLE deal ADD COLUMN value_digits TEXT;
  CREATE INDEX deal_value_digits ON deal (workspace_id, id) WHERE value_digits IS NOT NULL;
`,
}
