import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { UuidSequence } from '../../src/lib/generate-uuid.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { contactBodies, jobs, recordsPerJob } from './contacts.ts'

// The baseline for imports: plain better-sqlite3 inserting the same rows into the same schema, in
// transactions of 100, with everything else prepared in advance. Prints rows (contacts) per second.

const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
const db = new Database(join(directory, 'plain.db'))
db.exec(schemaSql)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = NORMAL')
db.pragma('foreign_keys = ON')
db.exec(
  `INSERT INTO company VALUES ('c', 'Bench', 'enterprise', '', '', NULL); INSERT INTO workspace VALUES (1, 'c', 'live')`,
)

const contact = db.prepare(`INSERT INTO contact (workspace_id, id, first_name, first_name_key, last_name, last_name_key,
  job_title, job_title_key, organization_id, is_primary, consent_to_record, metadata, created_at, updated_at)
  VALUES (1, ?, ?, ?, ?, ?, ?, ?, NULL, 0, 0, ?, ?, ?)`)
const email = db.prepare(`INSERT INTO contact_email (workspace_id, contact_id, id, email, email_key, type, is_primary)
  VALUES (1, ?, ?, ?, ?, 'work', 1)`)
const phone =
  db.prepare(`INSERT INTO contact_phone (workspace_id, contact_id, id, phone_number, phone_number_key, type, is_primary)
  VALUES (1, ?, ?, ?, ?, 'work', 1)`)

const ids = new UuidSequence()
const now = Date.now()
const at = new Date(now).toISOString()
const rows = Array.from({ length: jobs }, (_, job) => contactBodies(job)).flatMap((bodies) =>
  bodies.map((body) => {
    const [id, emailId, phoneId] = [ids.next(now), ids.next(now), ids.next(now)]
    const { first_name, last_name, job_title, emails, phones, metadata } = body
    const names = [first_name, last_name, job_title].flatMap((text) => [text, text.toLowerCase()])
    const address = emails[0]!.email
    const number = phones[0]!.phone_number
    return {
      contact: [id, ...names, JSON.stringify(metadata), at, at],
      email: [id, emailId, address, address.toLowerCase()],
      phone: [id, phoneId, number, number],
    }
  }),
)

const insert = db.transaction((batch: typeof rows) => {
  for (const row of batch) {
    contact.run(row.contact)
    email.run(row.email)
    phone.run(row.phone)
  }
})
const begin = performance.now()
for (let first = 0; first < rows.length; first += 100) insert(rows.slice(first, first + 100))
const seconds = (performance.now() - begin) / 1000
console.log(JSON.stringify({ rate: (jobs * recordsPerJob) / seconds }))
db.close()
rmSync(directory, { recursive: true })
