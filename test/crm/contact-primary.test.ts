import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const contactUrl = ({ id }: JsonRecord) => `/api-v1-contacts/${id}`

/** decision D4 */
test("An organization's primary contact", async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  const organization = async (on: Client = client) => (await make(on, 'organization')).id
  const person = (first_name: string, organization_id: string | null, is_primary: boolean, on: Client = client) =>
    make(on, 'contact', { first_name, organization_id, is_primary })
  const patch = (record: JsonRecord, body: object) => client.patch(contactUrl(record), body)
  const isPrimary = async (record: JsonRecord, on: Client = client): Promise<boolean> =>
    (await on.get(contactUrl(record))).body.data.is_primary
  const primariesOf = async (organizationId: string): Promise<string[]> => {
    const { body } = await client.get(`/api-v1-contacts?organization_id=${organizationId}&is_primary=true`)
    return body.data.map(({ first_name }: JsonRecord) => first_name)
  }

  await t.test('A new primary contact replaces the former one, whose updated_at changes', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)
    server.clock.advance(1000)

    const otto = await person('Otto', nordwind, true)

    const former = (await client.get(contactUrl(grace))).body.data
    assert.equal(otto.is_primary, true)
    assert.equal(former.is_primary, false)
    assert.equal(former.updated_at, otto.created_at)
    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  await t.test('A contact that becomes primary replaces the former one', async () => {
    const nordwind = await organization()
    await person('Grace', nordwind, true)
    const otto = await person('Otto', nordwind, false)

    const { body } = await patch(otto, { is_primary: true })

    assert.equal(body.data.is_primary, true)
    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  await t.test('A primary contact that moves to the organization replaces the former one', async () => {
    const [nordwind, suedwind] = [await organization(), await organization()]
    await person('Grace', nordwind, true)
    const otto = await person('Otto', suedwind, true)
    const ada = await person('Ada', null, true)

    await patch(otto, { organization_id: nordwind })
    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
    assert.deepEqual(await primariesOf(suedwind), [])

    await patch(ada, { organization_id: nordwind })
    assert.deepEqual(await primariesOf(nordwind), ['Ada'])
  })

  await t.test('A contact that moves and becomes primary in one patch replaces the former one', async () => {
    const nordwind = await organization()
    await person('Grace', nordwind, true)
    const otto = await person('Otto', null, false)

    await patch(otto, { organization_id: nordwind, is_primary: true })

    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  const stayed: [what: string, body: (nordwind: string) => object][] = [
    ['who is not primary moves to the organization', (organization_id) => ({ organization_id })],
    [
      'who was primary moves to the organization as not primary',
      (organization_id) => ({ organization_id, is_primary: false }),
    ],
    ['of another organization becomes primary', () => ({ is_primary: true })],
  ]
  for (const [what, body] of stayed) {
    await t.test(`The primary contact stays when a contact ${what}`, async () => {
      const [nordwind, suedwind] = [await organization(), await organization()]
      await person('Grace', nordwind, true)
      const otto = await person('Otto', suedwind, what.includes('was primary'))

      const { status } = await patch(otto, body(nordwind))

      assert.equal(status, 200)
      assert.deepEqual(await primariesOf(nordwind), ['Grace'])
    })
  }

  await t.test('The primary contact stays when its other fields change, or nothing changes', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)
    const otto = await person('Otto', nordwind, false)

    for (const body of [{ job_title: 'Head of Sales' }, { is_primary: true }, { organization_id: nordwind }]) {
      await patch(grace, body)
      await patch(otto, { job_title: 'Buyer' })
    }

    assert.deepEqual(await primariesOf(nordwind), ['Grace'])
  })

  await t.test('A patch with false leaves the organization without a primary contact', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)

    await patch(grace, { is_primary: false })

    assert.deepEqual(await primariesOf(nordwind), [])
  })

  await t.test('After the primary contact has been deleted, another one can become primary', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)

    await client.delete(contactUrl(grace))
    assert.deepEqual(await primariesOf(nordwind), [])

    await person('Otto', nordwind, true)
    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  await t.test('Any number of contacts without an organization may be primary', async () => {
    const [grace, otto] = [await person('Grace', null, true), await person('Otto', null, true)]

    assert.deepEqual([await isPrimary(grace), await isPrimary(otto)], [true, true])
  })

  await t.test('A primary contact that leaves the organization stays primary', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)

    const { body } = await patch(grace, { organization_id: null })

    assert.equal(body.data.is_primary, true)
    assert.deepEqual(await primariesOf(nordwind), [])
  })

  await t.test('The primary contact stays when the request that would replace it is refused', async () => {
    const nordwind = await organization()
    await person('Grace', nordwind, true)
    const otto = await person('Otto', nordwind, false)

    const refused = await patch(otto, { is_primary: true, first_name: '' })
    const astray = await patch(otto, { is_primary: true, organization_id: unknownId })

    for (const response of [refused, astray]) assertError(response, 400, 'VALIDATION_ERROR')
    assert.deepEqual(await primariesOf(nordwind), ['Grace'])
  })

  await t.test('Exactly one contact is primary after concurrent requests', async () => {
    const nordwind = await organization()
    const colleagues = await Promise.all(['Ada', 'Otto', 'Lin'].map((name) => person(name, nordwind, false)))

    const responses = await Promise.all([
      ...colleagues.map((each) => patch(each, { is_primary: true })),
      ...['Kofi', 'Mei'].map((first_name) =>
        client.post('/api-v1-contacts', { first_name, organization_id: nordwind, is_primary: true }),
      ),
    ])

    for (const { body } of responses) assert.equal(body.data.is_primary, true)
    assert.equal((await primariesOf(nordwind)).length, 1)
  })

  await t.test('The primary contact of another company does not change', async () => {
    const { client: globex } = await server.company('Globex')
    const grace = await person('Grace', await organization(globex), true, globex)

    await person('Otto', await organization(), true)

    assert.equal(await isPrimary(grace, globex), true)
  })
})
