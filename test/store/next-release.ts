import { schema } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import type { Schema } from '../../src/store/shape.ts'

const newest = schema.steps.at(-1)?.version ?? 1

const addition = `CREATE TABLE company_note (company_id TEXT NOT NULL, note TEXT NOT NULL) STRICT;
  INSERT INTO company_note SELECT id, name FROM company`
const change = `UPDATE organization SET address = address;
  CREATE INDEX contact_next ON contact (workspace_id, job_title, last_name)`

/** The schema of a later release. Its two additional steps create a table, rewrite rows and create an index. */
export const nextSchema: Schema = {
  schema: `${schema.schema};\n${addition};\n${change}`,
  steps: [...schema.steps, { version: newest + 1, sql: addition }, { version: newest + 2, sql: change }],
}

export const nextVersion = newest + 2

// Run as a program that a test can kill, this file opens a data directory as that release's server would.
if (import.meta.main) {
  const { db, release } = openForServer(process.argv[2]!, nextSchema)
  db.close()
  release()
}
