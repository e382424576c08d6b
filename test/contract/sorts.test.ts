import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { idsOf, listPath, plant, tellsTime, tested } from '../support/contract.ts'
import { sorted } from '../support/expected.ts'
import { start } from '../support/start.ts'

for (const resource of tested) {
  const { path, sorts, sortDirection } = resource

  test(`Sorting of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const records = await plant(server, client, resource)

    async function assertSorted(sort: string, keys: string[]): Promise<void> {
      const { status, body } = await client.get(listPath(resource, { sort }))

      assert.equal(status, 200, sort)
      assert.deepEqual(idsOf(body.data), idsOf(sorted(resource, records, keys)), sort)
    }

    for (const name of sorts) {
      await t.test(`by ${name} goes both ways in both forms, nulls first ascending, ties by id`, async () => {
        await assertSorted(`${name}:asc`, [name])
        await assertSorted(`${name}:desc`, [`-${name}`])
        await assertSorted(`-${name}`, [`-${name}`])
      })

      await t.test(`by ${name} has its direction without one`, async () => {
        await assertSorted(name, [sortDirection === 'desc' ? `-${name}` : name])
      })
    }

    for (const first of sorts) {
      await t.test(`by ${first} first takes every other key behind it`, async () => {
        for (const second of sorts.filter((name) => name !== first)) {
          await assertSorted(`${first}:asc,${second}:asc`, [first, second])
          await assertSorted(`${first}:asc,-${second}`, [first, `-${second}`])
          await assertSorted(`-${first},${second}:asc`, [`-${first}`, second])
          await assertSorted(`${first}:desc,${second}:desc`, [`-${first}`, `-${second}`])
        }
      })
    }

    await t.test('takes all keys at once', async () => {
      await assertSorted(sorts.map((name) => `${name}:asc`).join(), [...sorts])
    })

    if (tellsTime(resource))
      await t.test('combines with a filter', async () => {
        const [, second] = [...new Set(records.map(({ created_at }) => created_at))].sort()
        const { body } = await client.get(listPath(resource, { sort: `-${sorts[0]}`, 'created_at[gte]': second }))

        const kept = records.filter(({ created_at }) => created_at >= second)
        assert.deepEqual(idsOf(body.data), idsOf(sorted(resource, kept, [`-${sorts[0]}`])))
      })

    for (const direction of ['ASC', 'up', '']) {
      await t.test(`in the direction "${direction}" is refused, and it is the direction that is named`, async () => {
        const sort = `${sorts[0]}:${direction}`

        const response = await client.get(listPath(resource, { sort }))

        const message = `Cannot sort by "${sort}": the direction must be asc or desc`
        assertError(response, 400, 'VALIDATION_ERROR', message, ['sort'])
      })
    }

    for (const sort of ['nonsense', '', 'id', 'metadata', `${sorts[0]},`, `+-${sorts[0]}`, 'constructor']) {
      await t.test(`by "${sort}" is refused, and what is allowed is listed`, async () => {
        const response = await client.get(listPath(resource, { sort }))

        assertError(response, 400, 'VALIDATION_ERROR', undefined, ['sort'])
        for (const name of sorts) assert.match(response.body.error.message, new RegExp(`\\b${name}\\b`))
      })
    }
  })
}
