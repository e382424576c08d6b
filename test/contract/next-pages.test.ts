import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { includesOf } from '../../src/engine/records/define.ts'
import type { Client } from '../support/client.ts'
import { filtersByCreation, idsOf, listPath, plant, tested } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

type Parameters = Record<string, string>

const pagesMax = 20

/** The reference of a `Link` to the next page; undefined if there is none. */
function nextOf(headers: Headers): string | undefined {
  const link = headers.get('link')
  return link === null ? undefined : /^<([!-;=?-~]+)>; rel="next"$/.exec(link)![1]
}

/** Reads a list like a generic client: follows `Link` until there is none. */
async function follow(client: Client, path: string): Promise<{ data: JsonRecord[]; paths: string[] }> {
  const data: JsonRecord[] = []
  const paths: string[] = []
  for (let at: string | undefined = path; at !== undefined; ) {
    assert.ok(paths.push(at) < pagesMax, 'the links do not end')
    const { status, body, headers } = await client.get(at)
    assert.equal(status, 200, `${at} ${JSON.stringify(body)}`)
    data.push(...body.data)
    at = nextOf(headers)
    assert.equal(at !== undefined, body.pagination.has_more, 'only the last page has no link')
  }
  return { data, paths }
}

async function byCursor(client: Client, path: string): Promise<JsonRecord[]> {
  const data: JsonRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await client.get(`${path}${cursor && `&cursor=${cursor}`}`)
    data.push(...body.data)
    cursor = body.pagination.next_cursor
  }
  return data
}

/** The parameters of a path without those that say which page it is. */
function restOf(path: string): string[][] {
  const parameters = new URL(path, 'http://kontor').searchParams
  return [...parameters].filter(([name]) => !['cursor', 'page'].includes(name))
}

for (const resource of tested) {
  const { path, sorts } = resource
  const includes = includesOf(resource)
  const filter: Parameters = filtersByCreation(resource)
    ? { 'created_at[gte]': '2026-01-01T00:00:00+02:00' }
    : { 'id[ne]': '01890a5d-ac96-774b-bcce-b302099a8057' }
  const queries: Parameters[] = [
    {},
    ...sorts.flatMap((name) => [{ sort: `${name}:asc` }, { sort: `${name}:desc`, ...filter }]),
    ...(includes.length > 0 ? [{ include: includes.join(), ...filter }] : []),
  ]

  test(`Links of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    await plant(server, client, resource)

    for (const query of queries) {
      const name = new URLSearchParams(query).toString() || 'no parameters'
      await t.test(`GET /${path}: Link leads to what the cursors lead to, with ${name}`, async () => {
        const first = listPath(resource, { ...query, limit: '3' })

        const { data, paths } = await follow(client, first)

        assert.ok(paths.length > 1)
        assert.deepEqual(data, await byCursor(client, first))
        for (const each of paths) assert.deepEqual(restOf(each), restOf(first))
        assert.ok(paths.slice(1).every((each) => /[?&]cursor=/.test(each) && !/[?&]page=/.test(each)))
      })
    }

    for (const [given, size] of [[{ page: '1', limit: '3' }], [{ per_page: '3' }, 'per_page']] as const) {
      await t.test(`GET /${path}: Link counts pages if ${size ?? 'page'} is given`, async () => {
        const query = { ...queries.at(-1), ...given }

        const { data, paths } = await follow(client, listPath(resource, query))

        assert.deepEqual(
          idsOf(data),
          idsOf(await byCursor(client, listPath(resource, { ...queries.at(-1), limit: '3' }))),
        )
        const pages = paths.map((each) => new URL(each, 'http://kontor').searchParams.get('page') ?? '1')
        assert.deepEqual(
          pages,
          Array.from(paths, (_, at) => String(at + 1)),
        )
        assert.ok(paths.every((each) => !/[?&]cursor=/.test(each)))
      })
    }
  })
}

async function open(t: TestContext, limits = {}) {
  const server = await start(t, { limits })
  const { client } = await server.company('Acme')
  const email = 'ada@example.com'
  for (const first_name of ['Ada & Söhne', 'Bo "x" <y>', 'Cleo', 'Dora', 'Eva']) {
    await make(client, 'contact', { first_name, last_name: 'Nord 100%', emails: [{ email }] })
  }
  return { server, client }
}

test('Every list has links: histories, summaries, duplicates and the trash, too', async (t) => {
  const { client } = await open(t)
  const { body } = await client.get('/api-v1-contacts?sort=first_name')
  const [id] = idsOf(body.data)
  for (const job_title of ['Buyer', 'Seller']) await client.patch(`/api-v1-contacts/${id}`, { job_title })
  for (const first_name of ['Fay', 'Gil'])
    await make(client, 'contact', { first_name, emails: [{ email: 'x@y.example' }] })
  for (const name of ['Ost', 'West']) {
    const organization = await make(client, 'organization', { name })
    await client.delete(`/api-v1-organizations/${organization.id}`)
  }

  for (const path of [
    `/api-v1-contacts/${id}/history?limit=1`,
    '/api-v1-contacts/summary?group_by=first_name&last_name[like]=nord&limit=2',
    '/api-v1-contacts/duplicates?limit=1',
    '/api-v1-trash?limit=1',
  ]) {
    const { data, paths } = await follow(client, path)

    assert.ok(paths.length > 1, path)
    assert.deepEqual(data, await byCursor(client, path))
  }
})

test('A link keeps the words of a search and the view as they were given, whatever their characters', async (t) => {
  const { client } = await open(t)
  const view = { resource: 'contact', name: 'Norden', filter: 'last_name[like]=nord', sort: '-first_name' }
  const { id } = (await client.post('/api-v1-views', view)).body.data
  const queries = [
    `view=${id}&limit=2`,
    'q=nord%20100%25&limit=2',
    'q=nord+100%25&limit=2',
    'last_name=Nord 100%&limit=2',
    `first_name[in]=${encodeURIComponent('Ada & Söhne,Bo "x" <y>,Cleo')}&&limit=2`,
  ]

  for (const query of queries) {
    const first = `/api-v1-contacts?${query}`
    const { data, paths } = await follow(client, first)

    assert.ok(paths.length > 1, query)
    assert.deepEqual(data, await byCursor(client, first))
    for (const path of paths) assert.deepEqual(restOf(path), restOf(first))
  }
})

test('A page that is sent in parts, a cached one and the head of one have the link', async (t) => {
  const { client } = await open(t)
  const text = 'x'.repeat(9_000)
  for (let at = 0; at < 150; at++) await make(client, 'task', { title: `Task ${at}`, description: text })

  for (const path of ['/api-v1-tasks?limit=140', '/api-v1-contacts?limit=2', '/api-v1-contacts?limit=2']) {
    const [full, head] = [await client.get(path), await client.request('HEAD', path)]

    const { next_cursor } = full.body.pagination
    assert.equal(nextOf(full.headers), `${path}&cursor=${next_cursor}`)
    assert.equal(head.headers.get('link'), full.headers.get('link'))
  }
})

for (const prefix of ['', '/crm']) {
  test(`Below the path of a public URL, links are followed as they are, asked under ${prefix || '/'}`, async (t) => {
    const limits = { publicUrl: readConfig(['publicUrl'], { publicUrl: 'https://example.com/crm' }, {}).publicUrl }
    const { server, client } = await open(t, limits)
    const seen: string[] = []
    const headers = { Authorization: `Bearer ${client.key}` }

    let url: string | undefined = `${server.url}${prefix}/api-v1-contacts?limit=2`
    for (let pages = 0; url !== undefined && pages < pagesMax; pages++) {
      const response: Response = await fetch(url, { headers })
      seen.push(...idsOf(((await response.json()) as JsonRecord).data))
      const next: string | undefined = nextOf(response.headers)
      assert.ok(next?.startsWith('/crm/api-v1-contacts?limit=2&') ?? true, `${next}`)
      url = next && new URL(next, url).href
    }

    assert.deepEqual(seen, idsOf((await client.get('/api-v1-contacts')).body.data))
  })
}

test('An export is no page and has no link', async (t) => {
  const { client } = await open(t)

  const { headers } = await client.get('/api-v1-contacts', { Accept: 'text/csv' })

  assert.equal(headers.get('link'), null)
})

test('A link that would be long is left out, so that proxies accept the headers', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (let n = 0; n < 2; n++) await make(client, 'organization')
  const names = (count: number) => Array.from({ length: count }, (_, n) => `Name ${n}`).join()
  const of = (count: number) => client.get(`/api-v1-organizations?limit=1&name[ne]=${encodeURIComponent(names(count))}`)

  const [short, long] = [await of(10), await of(400)]

  assert.deepEqual([short.body.pagination.has_more, long.body.pagination.has_more], [true, true])
  assert.deepEqual([short.headers.has('link'), long.headers.has('link')], [true, false])
})
