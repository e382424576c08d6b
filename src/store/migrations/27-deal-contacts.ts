import type { Migration } from '../migrate.ts'

const people = (id: string) => `iif(${id} IS NULL, json('[]'), json_array(json_object('id', ${id}, 'role', NULL)))`

/** The people on deals: until now, the contact of each. The log has them where it has the contact, so that replaying it gives the tables (decision T2). */
export const dealContacts: Migration = {
  version: 27,
  sql: `
  CREATE TABLE deal_contact (
    workspace_id INTEGER NOT NULL,
    deal_id      TEXT NOT NULL,
    contact_id   TEXT NOT NULL,
    position     INTEGER NOT NULL,
    role         TEXT,
    CONSTRAINT deal_contact_pk PRIMARY KEY (workspace_id, deal_id, contact_id),
    CONSTRAINT deal_contact_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
    CONSTRAINT deal_contact_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX deal_contact_contact_id ON deal_contact (workspace_id, contact_id, deal_id);

  INSERT INTO deal_contact (workspace_id, deal_id, contact_id, position)
    SELECT workspace_id, id, contact_id, 0 FROM deal WHERE contact_id IS NOT NULL;
  UPDATE change SET
      previous = iif(json_type(previous, '$.contact_id') IS NULL, previous,
        json_set(previous, '$.contacts', ${people("previous ->> '$.contact_id'")})),
      data = iif(data IS NULL, NULL, json_set(data, '$.contacts', ${people("data ->> '$.contact_id'")}))
    WHERE type IN (SELECT id FROM change_term WHERE text LIKE 'deal.%')
      AND (data IS NOT NULL OR json_type(previous, '$.contact_id') IS NOT NULL);
  `,
}
