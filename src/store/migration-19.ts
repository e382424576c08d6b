import type { Migration } from './migrate.ts'

/** The resources for which there are views, declared fields and imports are in the definitions alone. */
export const openResources: Migration = {
  version: 19,
  sql: `
  ALTER TABLE view DROP CONSTRAINT view_resource;
  ALTER TABLE field DROP CONSTRAINT field_resource;
  ALTER TABLE bulk_job DROP CONSTRAINT bulk_job_type;
  `,
}
