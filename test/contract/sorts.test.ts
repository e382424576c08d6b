import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { filtersByCreation, idsOf, listPath, plant, tested } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { sorted } from './expected.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

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
      await t.test(
        `GET /${path}: sort by ${name} works in both directions and forms, with nulls first ascending and ties by id`,
        async () => {
          await assertSorted(`${name}:asc`, [name])
          await assertSorted(`${name}:desc`, [`-${name}`])
          await assertSorted(`-${name}`, [`-${name}`])
        },
      )

      await t.test(
        `GET /${path}: sort=${name} without a direction is ${sortDirection === 'desc' ? 'descending' : 'ascending'}`,
        async () => {
          await assertSorted(name, [sortDirection === 'desc' ? `-${name}` : name])
        },
      )
    }

    for (const first of sorts) {
      await t.test(`GET /${path}: sort by ${first} can be combined with every other key`, async () => {
        for (const second of sorts.filter((name) => name !== first)) {
          await assertSorted(`${first}:asc,${second}:asc`, [first, second])
          await assertSorted(`${first}:asc,-${second}`, [first, `-${second}`])
          await assertSorted(`-${first},${second}:asc`, [`-${first}`, second])
          await assertSorted(`${first}:desc,${second}:desc`, [`-${first}`, `-${second}`])
        }
      })
    }

    await t.test(`GET /${path}: sort takes all keys together`, async () => {
      await assertSorted(sorts.map((name) => `${name}:asc`).join(), [...sorts])
    })

    if (filtersByCreation(resource))
      await t.test(`GET /${path}: sort can be combined with a filter`, async () => {
        const [, second] = [...new Set(records.map(({ created_at }) => created_at))].sort()
        const { body } = await client.get(listPath(resource, { sort: `-${sorts[0]}`, 'created_at[gte]': second }))

        const matching = records.filter(({ created_at }) => created_at >= second)
        assert.deepEqual(idsOf(body.data), idsOf(sorted(resource, matching, [`-${sorts[0]}`])))
      })

    for (const direction of ['ASC', 'up', '']) {
      await t.test(
        `GET /${path}: the sort direction "${direction}" is refused, with a message about the direction`,
        async () => {
          const sort = `${sorts[0]}:${direction}`

          const response = await client.get(listPath(resource, { sort }))

          const message = `Cannot sort by "${sort}": the direction must be asc or desc`
          assertError(response, 400, 'VALIDATION_ERROR', message, ['sort'])
        },
      )
    }

    for (const sort of ['nonsense', '', 'id', 'metadata', `${sorts[0]},`, `+-${sorts[0]}`, 'constructor']) {
      await t.test(`GET /${path}: sort="${sort}" is refused, with a list of the allowed keys`, async () => {
        const response = await client.get(listPath(resource, { sort }))

        assertError(response, 400, 'VALIDATION_ERROR', undefined, ['sort'])
        for (const name of sorts) assert.match(response.body.error.message, new RegExp(`\\b${name}\\b`))
      })
    }
  })
}
