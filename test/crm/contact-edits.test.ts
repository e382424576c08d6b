import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const contacts = '/api-v1-contacts'

/** Both collections have the same rules. `item` returns a valid item; its number makes it unique. */
const collections = [
  { name: 'emails', as: 'contact_emails', key: 'email', label: 'Email', item: (n: number) => `grace${n}@acme.example` },
  { name: 'phones', as: 'contact_phones', key: 'phone_number', label: 'Phone', item: (n: number) => `+49301000${n}` },
]

/** decision E4 */
for (const { name, as, key, label, item } of collections) {
  test(`The ${name} of a contact`, async (t) => {
    const server = await start(t)
    const company = await server.company('Acme')
    const { client } = company
    const grace = (count = 2): Promise<JsonRecord> =>
      make(client, 'contact', { [name]: Array.from({ length: count }, (_, n) => ({ [key]: item(n) })) })
    const pathOf = (contact: JsonRecord, at?: number) =>
      `${contacts}/${contact.id}/${name}${at === undefined ? '' : `/${contact[as][at].id}`}`
    const get = async ({ id }: JsonRecord) => (await client.get(`${contacts}/${id}`)).body.data
    const primary = (contact: JsonRecord) => contact[as].map((each: JsonRecord) => each.is_primary)

    await t.test(`POST /api-v1-contacts/:id/${name}: adds an item and returns the contact`, async () => {
      const contact = await grace()
      server.clock.advance(1000)

      const { status, body, headers } = await client.post(pathOf(contact), { [key]: ` ${item(7)} `, type: 'home' })

      const { id: _, ...added } = body.data[as][2]
      assert.equal(status, 201)
      assert.equal(headers.get('location'), `${contacts}/${contact.id}`)
      assert.deepEqual(added, { [key]: item(7), type: 'home', is_primary: false })
      assert.deepEqual(body.data[as].slice(0, 2), contact[as])
      assert.deepEqual(await get(contact), body.data)
      assert.equal(body.data.updated_at, new Date(server.clock.now()).toISOString())
    })

    await t.test(`POST /api-v1-contacts/:id/${name}: the first item is always primary`, async () => {
      for (const is_primary of [true, false, null, undefined]) {
        const contact = await grace(0)

        const { body } = await client.post(pathOf(contact), { [key]: item(1), is_primary })

        assert.deepEqual(primary(body.data), [true])
      }
    })

    await t.test(`POST /api-v1-contacts/:id/${name}: a new primary item replaces the former one`, async () => {
      const contact = await grace()

      const { body } = await client.post(pathOf(contact), { [key]: item(2), is_primary: true })

      assert.deepEqual(primary(body.data), [false, false, true])
    })

    await t.test(`PATCH /api-v1-contacts/:id/${name}/:id: changes only the named fields`, async () => {
      const contact = await grace()

      const { status, body } = await client.patch(pathOf(contact, 1), { [key]: item(9), type: 'home' })

      assert.equal(status, 200)
      assert.deepEqual(body.data[as], [contact[as][0], { ...contact[as][1], [key]: item(9), type: 'home' }])
    })

    await t.test(`PATCH /api-v1-contacts/:id/${name}/:id: exactly one item stays primary`, async () => {
      const contact = await grace(3)

      const taken = await client.patch(pathOf(contact, 2), { is_primary: true })
      const left = await client.patch(pathOf(contact, 2), { is_primary: false })
      const alone = await grace(1)
      const patched = await client.patch(pathOf(alone, 0), { is_primary: false })

      assert.deepEqual(primary(taken.body.data), [false, false, true])
      assert.deepEqual(primary(left.body.data), [true, false, false])
      assert.deepEqual(primary(patched.body.data), [true])
    })

    await t.test(`DELETE /api-v1-contacts/:id/${name}/:id: another item becomes primary`, async () => {
      const contact = await grace(3)

      const { status, body } = await client.delete(pathOf(contact, 0))

      assert.deepEqual([status, body], [200, { data: { deleted: true } }])
      const left = await get(contact)
      assert.deepEqual(left[as], [{ ...contact[as][1], is_primary: true }, contact[as][2]])
      assertError(await client.delete(pathOf(contact, 0)), 404, 'NOT_FOUND', `${label} not found`)
    })

    await t.test(`DELETE /api-v1-contacts/:id/${name}/:id: the last item can be deleted`, async () => {
      const contact = await grace(1)

      await client.delete(pathOf(contact, 0))

      assert.deepEqual((await get(contact))[as], [])
    })

    await t.test(`PATCH /api-v1-contacts/:id/${name}/:id: a patch that changes nothing writes nothing`, async () => {
      const contact = await grace()
      server.clock.advance(1000)

      const { status, body } = await client.patch(pathOf(contact, 0), { [key]: item(0), is_primary: true })

      assert.equal(status, 200)
      assert.deepEqual(body.data, await get(contact))
      assert.equal(body.data.updated_at, contact.updated_at)
    })

    const faults: [body: Record<string, unknown>, field: string][] = [
      [{}, key],
      [{ [key]: null }, key],
      [{ [key]: ' ' }, key],
      [{ [key]: 5 }, key],
      [{ [key]: item(5), type: 5 }, 'type'],
      [{ [key]: item(5), is_primary: 'yes' }, 'is_primary'],
    ]
    for (const [body, field] of faults) {
      await t.test(
        `/api-v1-contacts/:id/${name}: ${JSON.stringify(body)} is refused with an error about ${field}`,
        async () => {
          const contact = await grace()

          assertError(await client.post(pathOf(contact), body), 400, 'VALIDATION_ERROR', undefined, [field])
          if (field in body)
            assertError(await client.patch(pathOf(contact, 0), body), 400, 'VALIDATION_ERROR', undefined, [field])
          assert.deepEqual(await get(contact), contact)
        },
      )
    }

    await t.test(
      `/api-v1-contacts/:id/${name}: type and is_primary refuse null, and an empty type means the default`,
      async () => {
        const contact = await grace()
        await client.patch(pathOf(contact, 1), { type: 'home' })

        for (const field of ['type', 'is_primary']) {
          const response = await client.patch(pathOf(contact, 1), { [field]: null })
          assertError(response, 400, 'VALIDATION_ERROR', undefined, [field])
        }
        const { body } = await client.patch(pathOf(contact, 1), { type: ' ' })

        assert.equal(body.data[as][1].type, 'work')
      },
    )

    await t.test(`PATCH /api-v1-contacts/:id/${name}/:id: a body without a field is refused`, async () => {
      const contact = await grace()

      for (const body of [{}, { id: unknownId, nonsense: 1 }]) {
        const response = await client.patch(pathOf(contact, 0), body)

        assertError(response, 400, 'INVALID_REQUEST', 'No fields to update')
      }
    })

    await t.test(`POST /api-v1-contacts/:id/${name}: a contact has at most a hundred items`, async () => {
      const contact = await grace(100)

      const response = await client.post(pathOf(contact), { [key]: item(100) })

      assertError(response, 400, 'VALIDATION_ERROR', undefined, [name])
      assert.equal((await get(contact))[as].length, 100)
    })

    await t.test(`/api-v1-contacts/:id/${name}: an unknown, deleted or other contact or item returns 404`, async () => {
      const [contact, other, gone] = [await grace(), await grace(), await grace()]
      await client.delete(`${contacts}/${gone.id}`)
      const body = { [key]: item(8) }
      const strangers = [await company.key({ environment: 'test' }), (await server.company('Globex')).client]
      const all = (each: Client, path: string) => [() => each.patch(path, body), () => each.delete(path)]
      const ofOther = `${contacts}/${contact.id}/${name}/${other[as][0].id}`

      for (const attempt of [
        ...all(client, ofOther),
        ...all(client, `${pathOf(contact)}/${unknownId}`),
        ...all(client, `${pathOf(contact)}/no-uuid`),
      ]) {
        assertError(await attempt(), 404, 'NOT_FOUND', `${label} not found`)
      }
      for (const attempt of [
        ...strangers.flatMap((each) => [...all(each, pathOf(contact, 0)), () => each.post(pathOf(contact), body)]),
        ...all(client, pathOf(gone, 0)),
        () => client.post(pathOf(gone), body),
        () => client.post(`${contacts}/no-uuid/${name}`, body),
      ]) {
        assertError(await attempt(), 404, 'NOT_FOUND', 'Contact not found')
      }
      assert.deepEqual([await get(contact), await get(other)], [contact, other])
    })

    await t.test(`/api-v1-contacts/:id/${name}: If-Match takes the ETag of the contact`, async () => {
      const contact = await grace()
      const { headers } = await client.get(`${contacts}/${contact.id}`)
      const current = { 'If-Match': headers.get('etag')! }

      const first = await client.patch(pathOf(contact, 0), { type: 'home' }, current)
      const late = [
        await client.patch(pathOf(contact, 0), { type: 'late' }, current),
        await client.delete(pathOf(contact, 0), current),
      ]

      assert.equal(first.status, 200)
      for (const response of late) assertError(response, 412, 'CONFLICT')
      const none = await client.delete(`${pathOf(contact)}/${unknownId}`, current)
      assertError(none, 404, 'NOT_FOUND', `${label} not found`)
      assert.deepEqual(await get(contact), first.body.data)
    })

    await t.test(`GET /api-v1-contacts: finds contacts by their current ${name}`, async () => {
      const contact = await grace(1)
      const filter = name === 'emails' ? 'email' : 'phone'
      const ids = async (value: string) =>
        (await client.get(`${contacts}?${new URLSearchParams({ [filter]: value })}`)).body.data.map(
          ({ id }: JsonRecord) => id,
        )

      await client.patch(pathOf(contact, 0), { [key]: item(4711) })

      assert.deepEqual(await ids(item(4711)), [contact.id])
      assert.ok(!(await ids(item(0))).includes(contact.id))
    })
  })
}

test('A contact cannot have an email address twice, case-insensitively, but the case of an address can be changed', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const contact = await make(client, 'contact', { emails: [{ email: 'a@acme.example' }, { email: 'b@acme.example' }] })
  const path = `${contacts}/${contact.id}/emails`

  const refused = [
    await client.post(path, { email: 'A@ACME.example' }),
    await client.patch(`${path}/${contact.contact_emails[1].id}`, { email: 'A@acme.example' }),
    await client.patch(`${path}/${contact.contact_emails[0].id}`, { email: 'b@acme.EXAMPLE' }),
  ]
  const own = await client.patch(`${path}/${contact.contact_emails[0].id}`, { email: 'A@acme.example' })

  for (const response of refused) {
    assertError(response, 400, 'VALIDATION_ERROR', 'This email is given twice', ['email'])
  }
  assert.deepEqual([own.status, own.body.data.contact_emails[0].email], [200, 'A@acme.example'])
})
