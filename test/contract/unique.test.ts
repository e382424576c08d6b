import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { offers, tested, touch } from '../support/contract.ts'
import { exampleOf, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

for (const resource of tested.filter(({ unique }) => unique !== undefined)) {
  const { path, label, caseMatters } = resource
  const unique = resource.unique!
  const message = `${label} with this ${unique.replaceAll('_', ' ')} already exists`

  test(`The ${unique} of ${path} is unique`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const fresh = () => String(exampleOf(resource, resource.fields[unique]!))

    const how = caseMatters ? 'in the same case' : 'case-insensitively'
    await t.test(`/${path}: a second record with the same ${unique} is refused, ${how}`, async () => {
      const made = await make(client, resource.name, { [unique]: fresh() })
      const other = await make(client, resource.name, { [unique]: fresh() })

      const cases = [made[unique].toUpperCase(), made[unique].toLowerCase()]
      for (const value of [made[unique], ...(caseMatters ? [] : cases)]) {
        assertError(await client.post(`/${path}`, { ...made, [unique]: value }), 409, 'ALREADY_EXISTS', message, [
          unique,
        ])
        if (!offers(resource, 'PATCH') || resource.fields[unique]!.fixed) continue
        const patched = await client.patch(`/${path}/${other.id}`, { [unique]: value })
        assertError(patched, 409, 'ALREADY_EXISTS', message, [unique])
      }
      const another = cases.find((each) => each !== made[unique])
      if (caseMatters) assert.equal((await make(client, resource.name, { [unique]: another }))[unique], another)
    })

    await t.test(
      `/${path}: a record may keep its ${unique}, and that of a deleted record can be used again`,
      async () => {
        const made = await make(client, resource.name, { [unique]: fresh() })

        const changed = resource.fields[unique]!.fixed
          ? touch(resource).valid
          : { [unique]: made[unique].toUpperCase() }
        const same = await client.patch(`/${path}/${made.id}`, changed)
        const deleted = await client.delete(`/${path}/${made.id}`)
        const again = await make(client, resource.name, { [unique]: made[unique] })

        assert.deepEqual([same.status, deleted.status, again[unique]], [200, 200, made[unique]])
      },
    )

    await t.test(`/${path}: another workspace may use the same ${unique}`, async () => {
      const { client: other } = await server.company('Globex')
      const made = await make(client, resource.name, { [unique]: fresh() })

      assert.equal((await make(other, resource.name, { [unique]: made[unique] }))[unique], made[unique])
    })

    if (resource.fields[unique]!.nullable) {
      await t.test(`/${path}: any number of records may have no ${unique}`, async () => {
        for (const value of [null, '', null])
          assert.equal((await make(client, resource.name, { [unique]: value }))[unique], null)
      })
    }
  })
}
