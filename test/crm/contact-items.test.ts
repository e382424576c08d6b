import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const url = '/api-v1-contacts'
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const grace = 'grace@nordwind.example'
const otto = 'otto@nordwind.example'

const withoutIds = (items: JsonRecord[]) => items.map(({ id: _, ...rest }) => rest)

/** Both collections have the same rules. `item` returns a valid item; its number makes it unique. */
const collections = [
  {
    name: 'emails',
    as: 'contact_emails',
    key: 'email',
    label: 'Email',
    item: (n: number) => `grace${n}@nordwind.example`,
  },
  {
    name: 'phones',
    as: 'contact_phones',
    key: 'phone_number',
    label: 'Phone number',
    item: (n: number) => `+49301000${n}`,
  },
]

for (const { name, as, key, label, item } of collections) {
  test(`A new contact's ${name}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const create = (items: unknown) => client.post(url, { first_name: 'Grace', [name]: items })

    await t.test(
      `POST /api-v1-contacts: ${name} keep their order, the type is work, the first is primary`,
      async () => {
        const response = await create([{ [key]: ` ${item(1)} ` }, { [key]: item(2), type: 'home', is_primary: null }])

        assert.equal(response.status, 201)
        const items = response.body.data[as]
        assert.deepEqual(withoutIds(items), [
          { [key]: item(1), type: 'work', is_primary: true },
          { [key]: item(2), type: 'home', is_primary: false },
        ])
        for (const { id } of items) assert.match(id, uuid)
      },
    )

    for (const none of [[], null, undefined]) {
      await t.test(`POST /api-v1-contacts: ${name} may be ${JSON.stringify(none)}`, async () => {
        const { status, body } = await create(none)

        assert.deepEqual([status, body.data[as]], [201, []])
      })
    }

    const choices: [marks: (boolean | null | undefined)[], primary: number][] = [
      [[undefined, undefined], 0],
      [[undefined, true], 1],
      [[false, true, true], 1],
      [[true, true], 0],
      [[false, undefined, undefined], 1],
      [[false, null], 1],
      [[false, false], 0],
      [[false], 0],
    ]
    for (const [marks, primary] of choices) {
      await t.test(
        `POST /api-v1-contacts: of ${name} ${JSON.stringify(marks)}, number ${primary + 1} is primary`,
        async () => {
          const { body } = await create(marks.map((is_primary, n) => ({ [key]: item(n), is_primary })))

          const primaries = body.data[as].map(({ is_primary }: JsonRecord) => is_primary)
          assert.deepEqual(
            primaries,
            marks.map((_, n) => n === primary),
          )
        },
      )
    }

    for (const type of [null, '', '  ']) {
      await t.test(`POST /api-v1-contacts: type ${JSON.stringify(type)} of ${name} means work`, async () => {
        const { body } = await create([{ [key]: item(1), type }])

        assert.equal(body.data[as][0].type, 'work')
      })
    }

    const missing = [{}, { [key]: null }, { [key]: '' }, { [key]: ' ' }]
    for (const each of missing) {
      await t.test(`POST /api-v1-contacts: ${name} without a value are refused: ${JSON.stringify(each)}`, async () => {
        const response = await create([{ [key]: item(1) }, each])

        assertError(response, 400, 'VALIDATION_ERROR', `${label} is required`, [`${name}[1].${key}`])
        assert.equal(response.body.error.details[0].code, 'REQUIRED')
      })
    }

    for (const wrong of ['text', 5, {}, true]) {
      await t.test(`POST /api-v1-contacts: ${name} must be an array, not ${JSON.stringify(wrong)}`, async () => {
        const response = await create(wrong)

        assertError(response, 400, 'VALIDATION_ERROR', undefined, [name])
        assert.equal(response.body.error.details[0].code, 'INVALID_TYPE')
      })
    }

    for (const wrong of ['text', 5, null, []]) {
      await t.test(`POST /api-v1-contacts: ${name} must contain objects, not ${JSON.stringify(wrong)}`, async () => {
        const response = await create([{ [key]: item(1) }, wrong])

        assertError(response, 400, 'VALIDATION_ERROR', undefined, [`${name}[1]`])
        assert.equal(response.body.error.details[0].code, 'INVALID_TYPE')
      })
    }

    await t.test(`POST /api-v1-contacts: every wrong type in ${name} is reported with its path, in order`, async () => {
      const response = await create([
        { [key]: 5, type: [], is_primary: 'yes' },
        { [key]: item(1) },
        { [key]: item(2), is_primary: 1 },
      ])

      const paths = [`[0].${key}`, '[0].type', '[0].is_primary', '[2].is_primary'].map((path) => `${name}${path}`)
      assertError(response, 400, 'VALIDATION_ERROR', undefined, paths)
      for (const { code } of response.body.error.details) assert.equal(code, 'INVALID_TYPE')
    })

    await t.test(`POST /api-v1-contacts: ${name} that are too long or contain U+0000 are refused`, async () => {
      const long = await create([{ [key]: item(1), type: 'x'.repeat(501) }])
      const nul = await create([{ [key]: item(1), type: 'x\0' }])

      assertError(long, 400, 'VALIDATION_ERROR', undefined, [`${name}[0].type`])
      assertError(nul, 400, 'VALIDATION_ERROR', undefined, [`${name}[0].type`])
    })

    await t.test(`POST /api-v1-contacts: a contact has at most 100 ${name}`, async () => {
      const many = (count: number) => Array.from({ length: count }, (_, n) => ({ [key]: item(n) }))

      const hundred = await create(many(100))
      const more = await create(many(101))

      assert.equal(hundred.body.data[as].length, 100)
      assertError(more, 400, 'VALIDATION_ERROR', undefined, [name])
      assert.equal(more.body.error.details[0].code, 'TOO_LONG')
    })

    await t.test(`POST /api-v1-contacts: errors in ${name} follow those of the contact's own fields`, async () => {
      const response = await client.post(url, { [name]: [{}], metadata: 5 })

      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['first_name', 'metadata', `${name}[0].${key}`])
    })

    await t.test(`PATCH /api-v1-contacts/:id: does not change ${name}, and they do not count as a field`, async () => {
      const contact = await make(client, 'contact', { [name]: [{ [key]: item(1) }] })

      const alone = await client.patch(`${url}/${contact.id}`, { [name]: [], [as]: [] })
      const patched = await client.patch(`${url}/${contact.id}`, { first_name: 'Ada', [name]: [{ [key]: item(2) }] })

      assertError(alone, 400, 'INVALID_REQUEST', 'No fields to update')
      assert.deepEqual([patched.body.data.first_name, patched.body.data[as]], ['Ada', contact[as]])
    })
  })
}

test("A new contact's email addresses", async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const create = (...emails: string[]) =>
    client.post(url, { first_name: 'Grace', emails: emails.map((email) => ({ email })) })

  for (const address of [
    'grace',
    'grace@',
    '@nordwind.example',
    'a b@nordwind.example',
    'grace@nordwind',
    'a@b@c.example',
  ]) {
    await t.test(`POST /api-v1-contacts: "${address}" is not an email address`, async () => {
      const response = await create(grace, address)

      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['emails[1].email'])
      assert.equal(response.body.error.details[0].code, 'INVALID_FORMAT')
    })
  }

  for (const again of [grace, 'GRACE@Nordwind.Example', ` ${grace} `]) {
    await t.test(`POST /api-v1-contacts: an email address that is given twice is refused: "${again}"`, async () => {
      const response = await create(grace, again, otto)

      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['emails[1].email'])
    })
  }

  await t.test('POST /api-v1-contacts: a repeated and an invalid email address are both reported', async () => {
    const response = await create(grace, grace, 'none')

    assertError(response, 400, 'VALIDATION_ERROR', undefined, ['emails[1].email', 'emails[2].email'])
  })

  await t.test('POST /api-v1-contacts: two contacts may have the same email address', async () => {
    const responses = [await create(grace), await create(grace)]

    for (const { status } of responses) assert.equal(status, 201)
  })

  await t.test('POST /api-v1-contacts: an email address keeps its case', async () => {
    const { body } = await create('Grace.Hopper+crm@Nordwind.Example')

    assert.equal(body.data.contact_emails[0].email, 'Grace.Hopper+crm@Nordwind.Example')
  })
})

test('Contacts are found by email and by phone', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const emails = [{ email: grace }, { email: 'hopper@navy.example' }]
  await make(client, 'contact', { first_name: 'Grace', emails, phones: [{ phone_number: '+49 30 1234' }] })
  await make(client, 'contact', { first_name: 'Otto', emails: [{ email: otto }] })
  await make(client, 'contact', { first_name: 'Lin' })

  const searches: [parameter: string, value: string, found: string[]][] = [
    ['email', grace, ['Grace']],
    ['email', 'hopper@navy.example', ['Grace']],
    ['email[like]', 'NORDWIND', ['Grace', 'Otto']],
    ['filter[email][in]', `${grace},${otto}`, ['Grace', 'Otto']],
    ['email[ne]', grace, ['Lin', 'Otto']],
    ['phone', '+49 30 1234', ['Grace']],
    ['phone[like]', '30 12', ['Grace']],
    ['phone[ne]', '+49 30 1234', ['Lin', 'Otto']],
    ['phone', '+49 30', []],
  ]
  for (const [parameter, value, found] of searches) {
    await t.test(`GET /api-v1-contacts?${parameter}=${value} finds ${found.join() || 'none'}`, async () => {
      const { body } = await client.get(`${url}?${new URLSearchParams({ [parameter]: value, sort: 'first_name' })}`)

      assert.deepEqual(
        body.data.map(({ first_name }: JsonRecord) => first_name),
        found,
      )
      assert.equal(body.pagination.total, found.length)
    })
  }
})
