import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src/engine/records/define.ts'
import { assertError, type Client } from '../support/client.ts'
import { filtersByCreation, idsOf, listPath, plant, tested } from '../support/contract.ts'
import type { JsonRecord } from '../support/make.ts'
import { start } from '../support/start.ts'
import { sorted } from './expected.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

/** Sorts records by the field of a related record that comes first. */
async function sortedThrough(client: Client, { defaultSortThrough: through, fields }: Resource, records: JsonRecord[]) {
  if (!through) return records
  const { body } = await client.get(`/${fields[through.by]!.target!.path}?limit=100`)
  const rankOf = (record: JsonRecord) =>
    body.data.find(({ id }: JsonRecord) => id === record[through.by])[through.field]
  return records.toSorted((a, b) => rankOf(a) - rankOf(b))
}

for (const resource of tested) {
  const { path, pageSize, defaultSort } = resource

  test(`Pages of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const records = await plant(server, client, resource)
    const byField = defaultSort ? sorted(resource, records, [defaultSort]) : records.toReversed()
    const ordered = idsOf(await sortedThrough(client, resource, byField))

    const paginationOf = async (parameters: Record<string, string>) =>
      (await client.get(listPath(resource, parameters))).body.pagination

    await t.test(`GET /${path}: the first page has the default order and allows both page and cursor`, async () => {
      const { body } = await client.get(listPath(resource, { limit: '3' }))

      const { next_cursor, ...rest } = body.pagination
      assert.deepEqual(idsOf(body.data), ordered.slice(0, 3))
      assert.match(next_cursor, /^[\w-]+$/)
      assert.deepEqual(rest, { total: 8, limit: 3, has_more: true, page: 1, per_page: 3, total_pages: 3 })
    })

    await t.test(`GET /${path}: a page has the default size`, async () => {
      const { next_cursor, ...rest } = await paginationOf({})

      const size = pageSize.default
      assert.equal(next_cursor, null)
      assert.deepEqual(rest, { total: 8, limit: size, has_more: false, page: 1, per_page: size, total_pages: 1 })
    })

    for (const parameter of ['limit', 'per_page']) {
      await t.test(`GET /${path}: page with ${parameter} returns that page`, async () => {
        const { body } = await client.get(listPath(resource, { page: '2', [parameter]: '3' }))

        assert.deepEqual(idsOf(body.data), ordered.slice(3, 6))
        const rest = { page: 2, per_page: 3, total_pages: 3 }
        assert.deepEqual(body.pagination, { total: 8, limit: 3, has_more: true, ...rest })
      })
    }

    await t.test(`GET /${path}: per_page alone selects pagination by page`, async () => {
      const pagination = await paginationOf({ per_page: '8' })

      assert.deepEqual(pagination, { total: 8, limit: 8, has_more: false, page: 1, per_page: 8, total_pages: 1 })
    })

    await t.test(`GET /${path}: limit takes precedence over per_page`, async () => {
      const { limit, per_page } = await paginationOf({ limit: '2', per_page: '5' })

      assert.deepEqual([limit, per_page], [2, 2])
    })

    await t.test(`GET /${path}: a page by cursor has only the pagination fields of cursors`, async () => {
      const { next_cursor: cursor } = await paginationOf({ limit: '3' })

      const middle = await client.get(listPath(resource, { limit: '3', cursor }))
      const last = await client.get(listPath(resource, { limit: '3', cursor: middle.body.pagination.next_cursor }))

      const { next_cursor, ...rest } = middle.body.pagination
      assert.deepEqual(rest, { total: 8, limit: 3, has_more: true, cursor })
      assert.deepEqual(idsOf(middle.body.data), ordered.slice(3, 6))
      assert.deepEqual(idsOf(last.body.data), ordered.slice(6))
      const end = { has_more: false, cursor: next_cursor, next_cursor: null }
      assert.deepEqual(last.body.pagination, { total: 8, limit: 3, ...end })
    })

    await t.test(`GET /${path}: the page size may change between cursors`, async () => {
      const { next_cursor: cursor } = await paginationOf({ limit: '3' })

      const { body } = await client.get(listPath(resource, { limit: '4', cursor }))

      assert.deepEqual(idsOf(body.data), ordered.slice(3, 7))
    })

    await t.test(`GET /${path}: a page size above the maximum means the maximum`, async () => {
      const { max } = pageSize

      assert.equal((await paginationOf({ limit: String(max) })).limit, max)
      assert.equal((await paginationOf({ limit: String(max + 1) })).limit, max)
      assert.equal((await paginationOf({ per_page: '999999999999999999999' })).per_page, max)
    })

    await t.test(`GET /${path}: a page after the last one is empty`, async () => {
      for (const page of ['4', '1000000', String(Number.MAX_SAFE_INTEGER)]) {
        const { body } = await client.get(listPath(resource, { page, limit: '3' }))

        const rest = { page: Number(page), per_page: 3, total_pages: 3 }
        assert.deepEqual(body, { data: [], pagination: { total: 8, limit: 3, has_more: false, ...rest } })
      }
    })

    await t.test(`GET /${path}: an empty list has no pages`, async () => {
      const { client } = await server.company('Newcomer')

      const { body } = await client.get(
        listPath(resource, {
          page: '1',
          ...(filtersByCreation(resource) && { 'created_at[lt]': '2000-01-01' }),
        }),
      )

      const { default: size } = pageSize
      const pagination = { total: 0, limit: size, has_more: false, page: 1, per_page: size, total_pages: 0 }
      assert.deepEqual(body, { data: [], pagination })
    })

    for (const parameter of ['limit', 'per_page', 'page']) {
      for (const value of ['0', '-1', '1.5', 'ten', '', '1e3', '٣', ' 1']) {
        await t.test(`GET /${path}: ${parameter}="${value}" is refused`, async () => {
          const response = await client.get(listPath(resource, { [parameter]: value }))

          assertError(response, 400, 'VALIDATION_ERROR', undefined, [parameter])
        })
      }
    }

    for (const parameter of ['page', 'per_page']) {
      await t.test(`GET /${path}: ${parameter} is refused together with a cursor`, async () => {
        const { next_cursor: cursor } = await paginationOf({ limit: '3' })

        const response = await client.get(listPath(resource, { cursor, [parameter]: '2' }))

        assertError(response, 400, 'VALIDATION_ERROR')
      })
    }
  })
}
