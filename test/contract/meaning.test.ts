import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { filtersByCreation, idsOf, plant, tested, unknownId } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

for (const resource of tested) {
  const { path, sorts } = resource
  const [first] = sorts as [string]

  test(`The ids and the meaning of filters of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const planted = idsOf(await plant(server, client, resource))
    const foreign = await server.company('Globex')
    const others = idsOf(await plant(server, foreign.client, resource)).filter((id) => !planted.includes(id))

    await t.test(
      `GET /${path}: id finds records by their ids, in both forms, and none of another company`,
      async () => {
        const [one, two, three] = planted as [string, string, string]
        const find = async (query: string) => {
          const { status, body } = await client.get(`/${path}?${query}&limit=100`)
          assert.equal(status, 200, query)
          assert.equal(body.pagination.total, body.data.length)
          return idsOf(body.data).sort()
        }

        assert.deepEqual(await find(`id=${one}`), [one])
        assert.deepEqual(await find(`filter[id][eq]=${one.toUpperCase()}`), [one])
        assert.deepEqual(await find(`id[in]=${three}, ${one},${unknownId},${others.join()}`), [one, three].sort())
        assert.deepEqual(await find(`filter[id][in]=${two}`), [two])
        assert.deepEqual(
          await find(`id[ne]=${two}&id[in]=${planted.join()}`),
          planted.filter((id) => id !== two).sort(),
        )
        assert.deepEqual(await find(`id=null`), [])
        assert.deepEqual(await find(`id[in]=null,${two}`), [two])
      },
    )

    await t.test(
      `GET /${path}: an id that is not a UUID, an empty list and more than 100 ids are refused`,
      async () => {
        for (const [parameter, value] of [
          ['id', '7'],
          ['id[in]', `${unknownId},x`],
          ['id[in]', ''],
          ['id[in]', ' , '],
          ['id[in]', Array(101).fill(unknownId).join()],
        ] as const) {
          const response = await client.get(`/${path}?${parameter}=${encodeURIComponent(value)}`)

          assertError(response, 400, 'VALIDATION_ERROR', undefined, [parameter])
        }
        assertError(await client.get(`/${path}?id[like]=a`), 400, 'VALIDATION_ERROR', undefined, ['id[like]'])
      },
    )

    await t.test(`GET /${path}: a cursor is valid for the same sort and filters in another spelling`, async () => {
      const [one, two] = planted as [string, string]
      const filters = `id[in]=${planted.join()}&id[ne]=${unknownId}`
      const cursorOf = async (query: string) =>
        encodeURIComponent((await client.get(`/${path}?${query}&limit=1`)).body.pagination.next_cursor)
      const cursor = await cursorOf(`${filters}&sort=-${first}`)
      const again = planted.toReversed().join(' , ').toUpperCase()

      for (const same of [
        `sort=${first}:desc&${filters}`,
        `sort=-${first}&filter[id][ne]=${unknownId}&filter[id][in]=${again}`,
        `sort=%20-${first}&${filters}&${filters}`,
      ]) {
        const { status, body } = await client.get(`/${path}?${same}&limit=1&cursor=${cursor}`)
        assert.equal(status, 200, `${same}: ${JSON.stringify(body)}`)
      }
      for (const other of [
        `sort=${first}:asc&${filters}`,
        `sort=-${first}&id[in]=${planted.slice(1).join()}&id[ne]=${unknownId}`,
        `sort=-${first}&id[in]=${planted.join()}`,
        `sort=-${first}&${filters}&id[ne]=${one}`,
        `sort=-${first}&id[in]=${planted.join()}&id[ne]=${two}`,
      ]) {
        const response = await client.get(`/${path}?${other}&limit=1&cursor=${cursor}`)
        assertError(response, 400, 'VALIDATION_ERROR', undefined, ['cursor'])
      }
      if (!filtersByCreation(resource)) return
      const day = await cursorOf('created_at[gte]=2020-01-01')
      const { status } = await client.get(`/${path}?filter[created_at][gte]=2020-01-01T00:00:00Z&limit=1&cursor=${day}`)
      assert.equal(status, 200)
    })
  })
}
