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

  await t.test('gives way to a new one, and its updated_at says so', async () => {
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

  await t.test('gives way to a colleague who is made primary', async () => {
    const nordwind = await organization()
    await person('Grace', nordwind, true)
    const otto = await person('Otto', nordwind, false)

    const { body } = await patch(otto, { is_primary: true })

    assert.equal(body.data.is_primary, true)
    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  await t.test('gives way to a primary contact who moves in, from elsewhere or from nowhere', async () => {
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

  await t.test('gives way to one who moves in and is made primary in one patch', async () => {
    const nordwind = await organization()
    await person('Grace', nordwind, true)
    const otto = await person('Otto', null, false)

    await patch(otto, { organization_id: nordwind, is_primary: true })

    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  const stayed: [what: string, body: (nordwind: string) => object][] = [
    ['who is not primary moves in', (organization_id) => ({ organization_id })],
    ['who was primary moves in and is it no more', (organization_id) => ({ organization_id, is_primary: false })],
    ['elsewhere is made primary', () => ({ is_primary: true })],
  ]
  for (const [what, body] of stayed) {
    await t.test(`stays when one ${what}`, async () => {
      const [nordwind, suedwind] = [await organization(), await organization()]
      await person('Grace', nordwind, true)
      const otto = await person('Otto', suedwind, what.includes('was primary'))

      const { status } = await patch(otto, body(nordwind))

      assert.equal(status, 200)
      assert.deepEqual(await primariesOf(nordwind), ['Grace'])
    })
  }

  await t.test('stays when something else of it changes, or nothing', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)
    const otto = await person('Otto', nordwind, false)

    for (const body of [{ job_title: 'Head of Sales' }, { is_primary: true }, { organization_id: nordwind }]) {
      await patch(grace, body)
      await patch(otto, { job_title: 'Buyer' })
    }

    assert.deepEqual(await primariesOf(nordwind), ['Grace'])
  })

  await t.test('may be none after a patch with false', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)

    await patch(grace, { is_primary: false })

    assert.deepEqual(await primariesOf(nordwind), [])
  })

  await t.test('is none once it is deleted, and another can follow', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)

    await client.delete(contactUrl(grace))
    assert.deepEqual(await primariesOf(nordwind), [])

    await person('Otto', nordwind, true)
    assert.deepEqual(await primariesOf(nordwind), ['Otto'])
  })

  await t.test('is no matter among contacts without an organization', async () => {
    const [grace, otto] = [await person('Grace', null, true), await person('Otto', null, true)]

    assert.deepEqual([await isPrimary(grace), await isPrimary(otto)], [true, true])
  })

  await t.test('stays primary when it leaves, and leaves none behind', async () => {
    const nordwind = await organization()
    const grace = await person('Grace', nordwind, true)

    const { body } = await patch(grace, { organization_id: null })

    assert.equal(body.data.is_primary, true)
    assert.deepEqual(await primariesOf(nordwind), [])
  })

  await t.test('stays when a write that would follow it is refused', async () => {
    const nordwind = await organization()
    await person('Grace', nordwind, true)
    const otto = await person('Otto', nordwind, false)

    const refused = await patch(otto, { is_primary: true, first_name: '' })
    const astray = await patch(otto, { is_primary: true, organization_id: unknownId })

    for (const response of [refused, astray]) assertError(response, 400, 'VALIDATION_ERROR')
    assert.deepEqual(await primariesOf(nordwind), ['Grace'])
  })

  await t.test('is one, however many are made primary at once', async () => {
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

  await t.test('of another company is left alone', async () => {
    const { client: globex } = await server.company('Globex')
    const grace = await person('Grace', await organization(globex), true, globex)

    await person('Otto', await organization(), true)

    assert.equal(await isPrimary(grace, globex), true)
  })
})
