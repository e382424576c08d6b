import type { Migration } from './migrate.ts'

/** The resources for which there are views and declared fields are in the definitions alone. */
export const openResources: Migration = {
  version: 19,
  sql: `
  ALTER TABLE view DROP CONSTRAINT view_resource;
  ALTER TABLE field DROP CONSTRAINT field_resource;
  `,
}
