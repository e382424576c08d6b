import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { addContact, declareField } from '../../support/fields.ts'
import { ended } from '../../support/imports.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const jobs = '/api-v1-bulk/jobs'

/** Every text about the errors of a job: of the job itself, and of its results. */
async function errorsOf(client: Client, id: string): Promise<string[][]> {
  const job = (await client.get(`${jobs}/${id}`)).body.data
  const lines = (await client.get(`${jobs}/${id}/results`)).body.trim().split('\n')
  const errors = [job.errors, lines.flatMap((line: string) => JSON.parse(line).errors)]
  return errors.map((each: { error: string }[]) => each.map(({ error }) => error))
}

test('Errors of a job name the records that they are about to whoever may read these, whoever asked for the job', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  const tax = await addContact(client, 'holder', { tax: 'x' })
  const ada = await make(client, 'contact', { emails: [{ email: 'ada@x.example' }] })
  const [one, two] = [
    await make(client, 'organization', { name: 'Acme' }),
    await make(client, 'organization', { name: 'ACME' }),
  ]
  const scopes = ['write:contacts', 'write:organizations']
  const blind = await key({ scopes })
  const reader = await key({ scopes: [...scopes, 'read:contacts'] })
  const both = await key({ scopes: ['read:contacts', 'read:organizations'] })
  const records = [
    { first_name: 'N', metadata: { tax: 'x' } },
    { first_name: 'N', emails: [{ email: 'ada@x.example' }] },
    { first_name: 'N', organization: { name: 'Acme' } },
  ]
  const texts = [
    ['Contact with this metadata.tax already exists', tax.id],
    ['Contact with this email already exists', ada.id],
    ['Several organizations have this name', `${one.id}, ${two.id}`],
  ] as const
  const named = (...which: number[]) => texts.map(([text, ids], at) => (which.includes(at) ? `${text}: ${ids}` : text))

  for (const author of [blind, reader]) {
    for (const dry_run of [true, false]) {
      const { body } = await author.post('/api-v1-bulk/contacts', {
        records,
        match_on: 'email',
        mode: 'create_only',
        dry_run,
      })
      const { id } = await ended(author, `${jobs}/${body.data.job_id}`)

      assert.deepEqual(await errorsOf(blind, id), [named(), named()])
      assert.deepEqual(await errorsOf(reader, id), [named(0, 1), named(0, 1)])
      assert.deepEqual(await errorsOf(both, id), [named(0, 1, 2), named(0, 1, 2)])
    }
  }
})

test('Lists of jobs and the log of changes name no records in errors', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  const { id } = await addContact(client, 'holder', { tax: 'x' })
  const { body } = await client.post('/api-v1-bulk/contacts', {
    records: [{ first_name: 'N', metadata: { tax: 'x' } }],
  })
  const job = await ended(client, `${jobs}/${body.data.job_id}`)
  assert.ok(job.errors[0].error.endsWith(id))

  for (const path of [jobs, '/api-v1-changes?types=bulk_job.*&payload=full']) {
    const { body: shown } = await client.get(path)
    assert.ok(JSON.stringify(shown).includes('already exists'), JSON.stringify(shown))
    assert.ok(!JSON.stringify(shown).includes(id), path)
  }
})

test('A job is cancelled with the tag that a reader of its errors has', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  await addContact(client, 'holder', { tax: 'x' })
  const { body } = await client.post('/api-v1-bulk/contacts', {
    records: [{ first_name: 'N', metadata: { tax: 'x' } }],
  })
  const path = `${jobs}/${body.data.job_id}`
  await ended(client, path)
  const etag = (await client.get(path)).headers.get('etag')!

  const known = await client.delete(path, { 'If-Match': etag })
  const stale = await client.delete(path, { 'If-Match': '"x"' })

  assert.deepEqual([known.body.error.message, stale.status], ['Job is already completed', 412])
})
