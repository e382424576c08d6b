import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updateCompany } from '../../src/access/company.ts'
import { contacts, merge } from '../merge/merging.ts'
import { assertError, type Client } from '../support/client.ts'
import { addContact, declareField, fieldsPath, namesOf } from '../support/fields.ts'
import { ended } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

async function open(t: TestContext, phone_country: string | null): Promise<Client> {
  const server = await start(t)
  const { id, client } = await server.company('Acme')
  await server.store.writeAccess((tx) => updateCompany(tx, id, { phone_country }))
  return client
}

const phone = (phone_number: string) => ({ phones: [{ phone_number }] })
const numbersOf = (contact: JsonRecord) => contact.contact_phones.map((each: JsonRecord) => each.phone_number)

/** Notations of one number, and another number. */
const cases = [
  { country: null, same: ['+49 89 123456', '4989123456', '0049-89-123456'], other: '089 123456' },
  { country: 'DE', same: ['089 123456', '+49 89 123456', '4989123456', '+49 (0)89 123456'], other: '+43 89 123456' },
  { country: 'US', same: ['(212) 555-1234', '+1 212 555 1234', '1-212-555-1234'], other: '(212) 555-1235' },
] as const

for (const { country, same, other } of cases) {
  const where = country === null ? 'Without a country' : `In a company in ${country}`
  const pairs = same.flatMap((a) => same.filter((b) => b !== a).map((b) => [a, b] as const))

  test(`${where}, filters, unique values, matches and bulk rows agree on which numbers are the same`, async (t) => {
    const client = await open(t, country)
    await declareField(client, 'line', 'phone', { unique: true })
    for (const [stored, given] of pairs) {
      const held = await addContact(client, 'held', { line: stored })
      const body = { first_name: 'held', metadata: { line: given } }

      assert.deepEqual(await namesOf(client, `metadata.line=${encodeURIComponent(given)}`), ['held'], given)
      assertError(await client.post(contacts, body), 409, 'ALREADY_EXISTS')
      const matched = await client.put(`${contacts}?match_on=metadata.line&mode=fill_empty`, body)
      assert.deepEqual([matched.status, matched.body.data.id], [200, held.id], `${stored} is ${given}`)
      for (const dry_run of [true, false]) {
        const records = [body, { ...body, metadata: { line: stored } }]
        const sent = await client.post('/api-v1-bulk/contacts', { match_on: 'metadata.line', records, dry_run })
        const job = await ended(client, `/api-v1-bulk/jobs/${sent.body.data.job_id}`)
        assert.deepEqual([job.created_records, job.failed_records], [0, 0], JSON.stringify(job.errors))
      }
      await client.delete(`${contacts}/${held.id}`)
    }
    await addContact(client, 'held', { line: same[0] })
    assert.equal((await client.post(contacts, { first_name: 'x', metadata: { line: other } })).status, 201)
  })

  test(`${where}, a field does not become unique, and an undo brings nothing back, while a number is taken in another notation`, async (t) => {
    const client = await open(t, country)
    const { id } = await declareField(client, 'line', 'phone')
    const [a, b] = [await addContact(client, 'a', { line: same[0] }), await addContact(client, 'b', { line: same[1] })]
    await addContact(client, 'c', { line: other })

    const refused = await client.patch(`${fieldsPath}/${id}`, { unique: true })
    assertError(refused, 409, 'CONFLICT')
    assert.match(refused.body.error.message, new RegExp(`${a.id}, ${b.id}$`))

    const removed = await client.delete(`${contacts}/${b.id}`)
    assert.equal((await client.patch(`${fieldsPath}/${id}`, { unique: true })).status, 200)
    const request_id = removed.headers.get('x-request-id')
    for (const dry_run of [true, false]) {
      const undone = await client.post('/api-v1-undo', { request_id, dry_run })
      const { reversed, kept, errored } = undone.body.data
      assert.deepEqual([reversed.length, kept.length + errored.length], [0, 1], JSON.stringify(undone.body))
    }
  })

  test(`${where}, notations of a number are duplicates, one number of a merged contact, and none is added to a contact that has it`, async (t) => {
    const client = await open(t, country)
    for (const [stored, given] of pairs) {
      const [a, b] = [await make(client, 'contact', phone(stored)), await make(client, 'contact', phone(given))]
      await make(client, 'contact', phone(other))

      const { data } = (await client.get(`${contacts}/duplicates`)).body
      const groups = data.filter(({ reason }: JsonRecord) => reason === 'phone')
      assert.deepEqual(groups, [{ reason: 'phone', value: stored, count: 2, ids: [a.id, b.id] }], given)

      const { body } = await merge(client, contacts, [a, b])
      assert.deepEqual(numbersOf(body.data), [stored])

      await client.patch(`${contacts}/${a.id}`, { first_name: given })
      await client.post(`${contacts}/${a.id}/emails`, { email: 'ada@x.example' })
      const put = await client.put(`${contacts}?match_on=email`, {
        ...{ first_name: 'Ada', emails: [{ email: 'ada@x.example' }] },
        phones: [{ phone_number: given }, { phone_number: '+33 1 23 45 67 89' }],
      })
      assert.deepEqual(numbersOf(put.body.data), [stored, '+33 1 23 45 67 89'])
      for (const { id } of (await client.get(contacts)).body.data) await client.delete(`${contacts}/${id}`)
    }
  })
}

test('Pages of duplicates show every number once', async (t) => {
  const client = await open(t, 'DE')
  for (let n = 0; n < 5; n++) {
    for (const begin of ['089', '+4989', '4989']) await make(client, 'contact', phone(`${begin}12345${n}`))
  }
  const values: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = cursor === '' ? '' : `&cursor=${cursor}`
    const { data, pagination }: JsonRecord = (await client.get(`${contacts}/duplicates?limit=2${next}`)).body
    for (const each of data) {
      assert.equal(each.count, 3)
      values.push(each.value)
    }
    cursor = pagination.next_cursor
  }
  assert.deepEqual(
    values,
    [0, 1, 2, 3, 4].map((n) => `08912345${n}`),
  )
})

test('A part of a number that begins with + or 00 finds numbers that begin with its digits, however their + is written', async (t) => {
  const client = await open(t, null)
  for (const [first_name, number] of Object.entries({ A: '+49 89 1', B: '4989 2', C: '0049 89 3', D: '030 4989 4' })) {
    await make(client, 'contact', { first_name, ...phone(number) })
  }
  const found = async (like: string) => {
    const query = new URLSearchParams({ 'phone[like]': like, sort: 'first_name' })
    return (await namesOf(client, query.toString())).join('')
  }

  for (const like of ['+49', '0049', ' 49', '+49 89', '+4%89', '0049 (89)'])
    assert.equal(await found(like), 'ABC', like)
  assert.equal(await found('49 89'), 'ABCD')
  assert.equal(await found('+49%2'), 'B')
  assert.equal(await found('%+49 89'), 'ABC')
  assert.equal(await found('+030'), 'D')
})
