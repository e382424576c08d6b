import type { Migration } from './migrate.ts'

/** The country in which a company dials its telephone numbers. */
export const phoneCountry: Migration = {
  version: 11,
  sql: "ALTER TABLE company ADD COLUMN phone_country TEXT CONSTRAINT company_phone_country CHECK (phone_country GLOB '[A-Z][A-Z]')",
}
