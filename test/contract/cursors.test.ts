import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCreation } from '../../src/engine/records/columns.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import { assertError, type Client } from '../support/client.ts'
import { filtersByCreation, idsOf, isDefault, isOrdered, listPath, offers, plant, tested } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { sorted } from './expected.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

type Parameters = Record<string, string>

const pagesMax = 20

/** Reads all pages and returns the ids. `between` runs before each page after the first. */
async function walk(
  client: Client,
  resource: Resource,
  parameters: Parameters,
  between: (seen: string[], pages: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null | undefined
  for (let pages = 1; cursor !== null; pages++) {
    assert.ok(pages < pagesMax, 'the walk does not end')
    const { body } = await client.get(listPath(resource, { ...parameters, ...(cursor && { cursor }) }))
    seen.push(...idsOf(body.data))
    cursor = body.pagination.next_cursor
    assert.equal(body.pagination.has_more, cursor !== null)
    if (cursor !== null) await between(seen, pages)
  }
  return seen
}

const both = (name: string) => [name, `-${name}`]
const sortOf = (keys: string[]) =>
  keys.map((key) => (key.startsWith('-') ? `${key.slice(1)}:desc` : `${key}:asc`)).join()

/** Whether a field changes when another record is created or deleted. */
const isMovedByOthers = (resource: Resource, name: string) =>
  isOrdered(resource) && (resource.fields[name]?.kind === 'position' || name === 'updated_at')

for (const resource of tested) {
  const { path, sorts } = resource
  const [first, second] = sorts as [string, string]
  const orders = [
    ...sorts.flatMap(both).map((key) => [key]),
    ...both(second).flatMap((key) => both(first).map((other) => [key, other])),
    [
      ...sorts.filter((name) => name === 'updated_at').map((name) => `-${name}`),
      ...sorts.filter((name) => name !== 'updated_at'),
    ],
  ]

  test(`Cursors of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const records = await plant(server, client, resource)

    for (const keys of orders) {
      const sort = sortOf(keys)
      await t.test(`GET /${path}: cursors visit every record once, in order, sorted by ${sort}`, async () => {
        for (const limit of ['1', '3']) {
          const seen = await walk(client, resource, { sort, limit })

          assert.deepEqual(seen, idsOf(sorted(resource, records, keys)))
        }
      })
    }

    const steady = sorts.filter((name) => !isMovedByOthers(resource, name))
    const orderless = resource.defaultSort === undefined ? [[]] : []
    for (const keys of offers(resource, 'DELETE') ? [...orderless, ...steady.flatMap(both).map((key) => [key])] : []) {
      const sort = sortOf(keys)
      await t.test(
        `GET /${path}: cursors visit remaining records once while others are created and deleted, sorted by ${sort || 'default'}`,
        async () => {
          const { client } = await server.company('Busy')
          const records = await plant(server, client, resource)
          const planted = idsOf(sorted(resource, records, keys))
          const removable = idsOf(records.filter((each) => !isDefault(each)))
          const gone: string[] = []

          const seen = await walk(client, resource, { ...(sort && { sort }), limit: '2' }, async (soFar, pages) => {
            if (pages > 2) return
            const ahead = removable.filter((id) => !soFar.includes(id))
            for (const id of [soFar.findLast((each) => removable.includes(each))!, ahead[pages - 1]!]) {
              assert.equal((await client.delete(`/${path}/${id}`)).status, 200)
              gone.push(id)
            }
            await make(client, resource.name)
          })

          const staying = planted.filter((id) => !gone.includes(id))
          assert.deepEqual(
            seen.filter((id) => staying.includes(id)),
            staying,
          )
          assert.equal(new Set(seen).size, seen.length)
        },
      )
    }

    if (filtersByCreation(resource))
      await t.test(`GET /${path}: cursors visit the records that match a filter`, async () => {
        const from = records[3]!.created_at
        const matching = records.filter(({ created_at }) => created_at >= from)

        const seen = await walk(client, resource, { sort: `-${first}`, limit: '2', 'created_at[gte]': from })

        assert.deepEqual(seen, idsOf(sorted(resource, matching, [`-${first}`])))
      })

    await t.test(`GET /${path}: a cursor with another sort or filter, or a forged one, is refused`, async () => {
      const [filter, other] = filtersByCreation(resource)
        ? ['created_at[gte]', 'updated_at[gte]']
        : [`${first}[ne]`, `${second}[ne]`]
      const asked: Parameters = { sort: `${first}:asc`, limit: '2', [filter!]: '2026-01-01' }
      const cursor: string = (await client.get(listPath(resource, asked))).body.pagination.next_cursor
      const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
      const { sort: _, ...unsorted } = asked
      const { [filter!]: __, ...unfiltered } = asked
      // The time of creation has one meaning, under either name.
      const areAlike = (...names: string[]) => names.every((name) => isCreation(resource.stored[name]!))
      const moments = filtersByCreation(resource) ? ['created_at', 'updated_at'] : [first, second]
      const wrong: Parameters[] = [
        { ...asked, sort: `${first}:desc`, cursor },
        ...(areAlike(first, second) ? [] : [{ ...asked, sort: `${second}:asc`, cursor }]),
        { ...asked, [filter!]: '2026-01-02', cursor },
        ...(areAlike(...moments) ? [] : [{ ...asked, [other!]: '2026-01-01', cursor }]),
        ...(resource.defaultSort === first ? [] : [{ ...unsorted, cursor }]),
        { ...unfiltered, cursor },
        ...[
          flipped(0),
          flipped(30),
          flipped(cursor.length - 2),
          cursor.slice(0, -1),
          cursor.slice(1),
          cursor.slice(0, 22),
        ]
          .concat(`${cursor}A`, 'null', '', 'ü', cursor.slice(0, 5), '0')
          .map((forged) => ({ ...asked, cursor: forged })),
      ]

      const right = await client.get(listPath(resource, { ...asked, cursor }))
      assert.equal(right.status, 200)
      for (const parameters of wrong) {
        const response = await client.get(listPath(resource, parameters))

        assertError(response, 400, 'VALIDATION_ERROR', undefined, ['cursor'])
      }
    })

    await t.test(`GET /${path}: a cursor of another list, workspace or company is refused`, async () => {
      const company = await server.company('Owner')
      await plant(server, company.client, resource)
      const cursor = (await company.client.get(listPath(resource, { limit: '2' }))).body.pagination.next_cursor
      const sandbox = await company.key({ environment: 'test' })
      const others = resources.filter((other) => other !== resource)

      const responses = [
        ...(resource.ofCompany ? [] : [await sandbox.get(listPath(resource, { limit: '2', cursor }))]),
        await client.get(listPath(resource, { limit: '2', cursor })),
        ...(await Promise.all(others.map((other) => company.client.get(listPath(other, { limit: '2', cursor }))))),
      ]

      for (const response of responses) assertError(response, 400, 'VALIDATION_ERROR', undefined, ['cursor'])
    })
  })
}
