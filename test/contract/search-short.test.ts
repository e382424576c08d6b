import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../src/crm/contact.ts'
import { organization } from '../../src/crm/organization.ts'
import { task } from '../../src/crm/task.ts'
import { enterPending, enterStarts, lacksStarts, searchedOf } from '../../src/engine/finding/list/search.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { migrations } from '../../src/store/migrations/index.ts'

import { enterDue } from '../../src/threads/search-entry.ts'
import { changeBeside } from '../support/beside.ts'
import type { Client } from '../support/client.ts'
import { declareField } from '../support/fields.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { fill, listed, searcher } from '../support/search.ts'
import { type Server, start } from '../support/start.ts'

const emails = [{ email: 'lukasz.strasse-muller@shop.example' }]
const bodies = new Map<Resource, object[]>([
  [
    organization,
    [
      ...['Anna Korvath', 'Korvath', 'The (Kobold) Ltd', 'Xko', 'Łódź Œuvre', '李小龍餐廳', '𠮷野家', 'A𠮷B 😀😀'],
      ...['ラーメン太郎', '東京Tower', 'ร้านกาแฟดี', 'Ὀδυσσεὺς', '이순신'],
    ].map((name) => ({ name })),
  ],
  [
    contact,
    [
      { first_name: 'Mail', emails },
      { first_name: 'Declared', metadata: { note: 'Größe 李明', level: 'Very kostbar', mail: 'be.ko@home.example' } },
    ],
  ],
  [
    task,
    [
      {
        title: 'Described',
        description: `${'Long text. '.repeat(100)}Ask Kovacs for 麺. ${'More text. '.repeat(100)}`,
      },
      { title: 'Call Anna (Korvath)' },
    ],
  ],
])

/** The titles that each query finds. */
const found: Record<string, string[]> = {
  ko: ['Korvath', 'Anna Korvath', 'The (Kobold) Ltd', 'Declared', 'Described', 'Call Anna (Korvath)'],
  'anna ko': ['Anna Korvath', 'Call Anna (Korvath)'],
  'KO an': ['Anna Korvath', 'Call Anna (Korvath)'],
  'ko x': [],
  or: [],
  x: ['Xko'],
  '(k': ['The (Kobold) Ltd', 'Call Anna (Korvath)'],
  lo: ['Łódź Œuvre', 'Described'],
  œ: ['Łódź Œuvre'],
  ö: ['Łódź Œuvre'],
  Ὀ: ['Ὀδυσσεὺς'],
  이: ['이순신'],
  李: ['李小龍餐廳', 'Declared'],
  龍: ['李小龍餐廳'],
  小龍: ['李小龍餐廳'],
  龍餐廳: ['李小龍餐廳'],
  李明: ['Declared'],
  麺: ['Described'],
  𠮷: ['𠮷野家', 'A𠮷B 😀😀'],
  𠮷野: ['𠮷野家'],
  野家: ['𠮷野家'],
  b: ['A𠮷B 😀😀', 'Declared'],
  '😀': ['A𠮷B 😀😀'],
  太: ['ラーメン太郎'],
  ーメ: ['ラーメン太郎'],
  ラーメ: ['ラーメン太郎'],
  to: ['東京Tower'],
  京t: ['東京Tower'],
  กา: ['ร้านกาแฟดี'],
  แฟ: ['ร้านกาแฟดี'],
  ดี: ['ร้านกาแฟดี'],
  ร้าน: ['ร้านกาแฟดี'],
  Łu: ['Mail'],
  Mü: ['Mail'],
  sh: ['Mail'],
  ka: [],
  'łu mü': ['Mail'],
  'lu é': ['Mail'],
  grö: ['Declared'],
  gr: ['Declared'],
  ve: ['Declared'],
  be: ['Declared'],
  'ko gr': ['Declared'],
  Łukasz: ['Mail'],
  straße: ['Mail'],
  müller: ['Mail'],
  řasse: ['Mail'],
  'Łukasz.Straße-Müller@shop.example': ['Mail'],
}

const paths = new Map([...bodies.keys()].map((resource) => [resource, `/${resource.path}`]))
const searched = [...bodies.keys()].map(searchedOf)

async function open(server: Server, hay = 0): Promise<Client> {
  const { client } = await server.company('Acme')
  await declareField(client, 'note', 'text')
  await declareField(client, 'mail', 'email')
  await declareField(client, 'level', 'choice', { options: ['Gold', 'Very kostbar'] })
  const stack = Array.from({ length: hay }, () => ({ name: 'Hay', first_name: 'Hay', title: 'Hay' }))
  for (const [resource, needles] of bodies) {
    const known = (body: object) => Object.fromEntries(Object.entries(body).filter(([name]) => resource.fields[name]))
    await fill(server, client, resource, [...needles, ...stack.map(known)])
  }
  return client
}

/** Fails unless searches and lists find what they should. */
async function check(client: Client): Promise<void> {
  const search = searcher(client)
  for (const [q, titles] of Object.entries(found)) {
    const results = await search(q, { limit: '50' })
    assert.deepEqual(results.map(({ title }) => title).toSorted(), titles.toSorted(), q)
    for (const [{ name }, path] of paths) {
      const ids = results.filter(({ type }) => type === name).map(({ id }) => id)
      assert.deepEqual((await listed(client, path, q)).ids.toSorted(), ids.toSorted(), `${name} ${q}`)
    }
  }
}

/** Makes the server's database like one of the schema before the index had beginnings of words. */
async function makeOlder(server: Server, { keyId }: Client): Promise<void> {
  const { store } = server
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', keyId)!
  const { sql } = migrations.find((step) => step.sql.includes('CREATE TABLE search_start'))!
  const before = searched.map(({ texts, ...rest }) => ({
    ...rest,
    texts: texts.map((text) => ({ ...text, starts: false })),
  }))
  await store.write(workspaceId, (tx) => {
    for (const each of before) enterPending(each, tx, recordsMax)
  })
  changeBeside(server, (db) => void db.exec(`DROP TABLE search_start; ${sql}`))
}

const recordsMax = 10_000
const hay = 1_010

test('A word of one or two characters finds where a word of any text begins, and any place in scripts without spaces', async (t) => {
  await check(await open(await start(t)))
})

test('So it does in a large company, before and after its texts have entered the search index', async (t) => {
  const server = await start(t)
  const client = await open(server, hay)

  await check(client)
  await enterDue(server.store, searched, new AbortController().signal)

  await check(client)
})

test('So it does after an upgrade, before, while and after the beginnings of words enter the search index', async (t) => {
  const server = await start(t, { work: 'nowhere' }) // otherwise another connection writes meanwhile
  const client = await open(server, hay)
  await makeOlder(server, client)
  const workspaceId = server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  const lacking = () => searched.filter(({ name }) => lacksStarts(server.store.workspace(workspaceId), name))

  await check(client)
  await server.store.write(workspaceId, (tx) => lacking().forEach((each) => void enterStarts(each, tx, 100)))
  await check(client)
  const { id } = (await client.post('/api-v1-organizations', { name: 'New Zq' })).body.data as JsonRecord
  assert.equal(lacking().length, searched.length)
  await enterDue(server.store, searched, new AbortController().signal)

  assert.deepEqual(lacking(), [])
  await check(client)
  assert.deepEqual((await listed(client, '/api-v1-organizations', 'zq')).ids, [id])
})

test('A word with invisible characters is searched like any other, also where it looks like a domain', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await make(client, 'contact', { emails: [{ email: 'ada@xn--mller-kva.example' }] })

  for (const q of ['\u00ad\u00ad.a', '\u200b\u200b.a', '\u00adx.', 'müller.example']) {
    const found = await client.get(`/api-v1-search?q=${encodeURIComponent(q)}`)
    const listed = await client.get(`/api-v1-contacts?q=${encodeURIComponent(q)}`)

    assert.deepEqual([found.status, listed.status], [200, 200], q)
    assert.equal(found.body.data.length, q.startsWith('m') ? 1 : 0, q)
  }
})
