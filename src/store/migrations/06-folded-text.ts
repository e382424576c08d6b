import type { Migration } from '../migrate.ts'

/**
 * Keys have no accents, and equal keys are ordered by their text. Names of stages are unique by a column of their own. The keys are
 * rewritten afterwards, in batches (`foldKeys`), while no index contains them.
 */
export const foldedText: Migration = {
  version: 6,
  sql: `
  DROP INDEX organization_name;
  DROP INDEX organization_organization_type;
  DROP INDEX organization_city;
  DROP INDEX organization_country;
  DROP INDEX organization_domain;
  DROP INDEX contact_first_name;
  DROP INDEX contact_last_name;
  DROP INDEX contact_job_title;
  DROP INDEX stage_name;
  DROP INDEX deal_title;
  DROP INDEX deal_currency;
  DROP INDEX task_title;
  DROP INDEX activity_subject;
  DROP INDEX contact_phone_phone_number;
  ALTER TABLE stage ADD COLUMN name_unique TEXT;
  UPDATE stage SET name_unique = name_key;
  DROP INDEX stage_name_unique;
  CREATE UNIQUE INDEX stage_name_unique ON stage (workspace_id, name_unique) WHERE deleted_at IS NULL;
  INSERT INTO setting VALUES ('keys_to_fold', '{"table":0,"after":[]}');
  `,
  afterKeys: [
    'CREATE INDEX IF NOT EXISTS organization_name ON organization (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS organization_organization_type ON organization (workspace_id, organization_type_key, organization_type, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS organization_city ON organization (workspace_id, city_key, city, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS organization_country ON organization (workspace_id, country_key, country, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS organization_domain ON organization (workspace_id, domain_key, domain, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS contact_first_name ON contact (workspace_id, first_name_key, first_name, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS contact_last_name ON contact (workspace_id, last_name_key, last_name, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS contact_job_title ON contact (workspace_id, job_title_key, job_title, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS stage_name ON stage (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS deal_title ON deal (workspace_id, title_key, title, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS deal_currency ON deal (workspace_id, currency_key, currency, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS task_title ON task (workspace_id, title_key, title, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS activity_subject ON activity (workspace_id, subject_key, subject, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX IF NOT EXISTS contact_phone_phone_number ON contact_phone (workspace_id, phone_number_key, contact_id)',
  ],
}
