import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../src/crm/contact.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { assertError, type Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const path = `/${contact.path}`
const names = [
  'Zoë',
  'Zoe\u0308',
  'José 😀',
  '👩‍👩‍👧 Müller',
  '100%',
  'a_b',
  'back\\slash',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
]

/** The event loop runs lists of few records, the thread for lists those of many. */
for (const [many, count] of [
  ['few', 16],
  ['many', 2_400],
] as const) {
  test(`Among ${many} records, excessive and invalid lists get a response, and the server keeps working`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
    const workspaceId = server.store.access.value<number>(ofKey, client.keyId)!
    await server.store.write(workspaceId, (tx) => {
      for (let row = 0; row < count; row++) {
        insert(
          contact,
          tx,
          readCreate(contact, tx, { first_name: names[row % names.length], job_title: `Buyer ${row}` }),
          {},
        )
      }
    })
    const total = async (query: string | Record<string, string>) => {
      const { status, body } = await client.get(`${path}?${new URLSearchParams(query)}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.pagination.total
    }
    const each = count / names.length

    await t.test('A list takes fifty filters and refuses more', async () => {
      const filters = (n: number) => Array.from({ length: n }, () => 'first_name[like]=%').join('&')
      assert.equal(await total(filters(50)), count)
      assertError(await client.get(`${path}?${filters(51)}`), 400, 'VALIDATION_ERROR')
    })

    await t.test('A list takes every sort key, and refuses a repeated one', async () => {
      assert.equal(await total({ sort: contact.sorts.join() }), count)
      assertError(await client.get(`${path}?sort=first_name,-first_name`), 400, 'VALIDATION_ERROR')
      assertError(await client.get(`${path}?sort=${Array(20).fill('last_name').join()}`), 400, 'VALIDATION_ERROR')
    })

    await t.test('The operator in takes a hundred long values and refuses more', async () => {
      const values = (n: number) => Array.from({ length: n }, (_, at) => `${at}${'x'.repeat(90)}`).join()
      assert.equal(await total({ 'first_name[in]': `${values(99)},a_b` }), each)
      assertError(await client.get(`${path}?first_name[in]=${values(101)}`), 400, 'VALIDATION_ERROR')
    })

    await t.test('Patterns of wildcards only, of 500 characters, and with much backtracking are matched', async () => {
      for (const pattern of ['%', '%%%', '%'.repeat(500), ''])
        assert.equal(await total({ 'first_name[like]': pattern }), count)
      assert.equal(await total({ 'first_name[like]': 'a'.repeat(500) }), 0)
      assert.equal(await total({ 'first_name[like]': `${'%a'.repeat(28)}%b` }), each)
      assert.equal(await total({ 'first_name[like]': `${'a%'.repeat(240)}c` }), 0)
    })

    await t.test(
      'Emoji, combining accents and the special characters of SQL and of the search index are plain text',
      async () => {
        assert.equal(await total({ 'first_name[like]': 'zoë' }), 2 * each)
        assert.equal(await total({ 'first_name[like]': 'ZOE\u0308' }), 2 * each)
        assert.equal(await total({ 'first_name[like]': '😀' }), each)
        assert.equal(await total({ 'first_name[like]': 'É 😀' }), each)
        assert.equal(await total({ 'first_name[like]': '👩‍👧 mül' }), each)
        assert.equal(await total({ 'first_name[like]': 'a_b' }), each)
        assert.equal(await total({ 'first_name[like]': 'k\\sla' }), each)
        for (const pattern of ['"', '" OR "', '~', 'NEAR(a b)', "'); DROP TABLE contact; --", 'a:b', '-abc', '^abc*']) {
          assert.equal(await total({ 'first_name[like]': pattern }), 0, pattern)
        }
      },
    )

    await t.test('A page number beyond the last page is valid, one beyond the safe integers is refused', async () => {
      assert.equal(await total({ page: '20000' }), count)
      assert.equal(await total({ page: String(2 ** 53 - 1), 'first_name[ne]': 'x' }), count)
      assertError(await client.get(`${path}?page=${2 ** 53}`), 400, 'VALIDATION_ERROR')
    })

    await t.test('A long invalid cursor is refused, and a request line that is too long, too', async () => {
      assertError(await client.get(`${path}?cursor=${'A'.repeat(8_000)}`), 400, 'VALIDATION_ERROR')
      const { status } = await client.get(`${path}?cursor=${'A'.repeat(2 ** 20)}`)
      assert.equal(status, 431)
    })

    await assertAlive(client)
  })
}

async function assertAlive(client: Client): Promise<void> {
  assert.equal((await client.get(`${path}?limit=1&first_name[like]=zo`)).status, 200)
}

test('A list is sorted by ten fields, and not by more', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const keys = Array.from({ length: 11 }, (_, at) => `key_${at}`)
  await make(client, 'field', ...keys.map((key) => ({ resource: 'contact', key, type: 'text' })))
  const sort = (count: number) => keys.slice(0, count).map((key) => `metadata.${key}`)

  assert.equal((await client.get(`${path}?sort=${sort(10)}`)).status, 200)
  const response = await client.get(`${path}?sort=${sort(11)}`)
  assertError(response, 400, 'VALIDATION_ERROR', 'sort takes at most 10 fields', ['sort'])
})
