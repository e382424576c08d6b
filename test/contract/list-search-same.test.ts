import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../src/crm/contact.ts'
import { task } from '../../src/crm/task.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { resources } from '../../src/features/index.ts'
import { enterDue } from '../../src/threads/search-entry.ts'
import type { Client } from '../support/client.ts'
import { declareField } from '../support/fields.ts'
import type { JsonRecord } from '../support/make.ts'
import { fill, listed, searcher } from '../support/search.ts'
import { start } from '../support/start.ts'

const contacts = '/api-v1-contacts'
const queries = [
  ...[
    'müller',
    'MULLER ada',
    'ada müller',
    'ller',
    'a',
    'li',
    'li a',
    'ad mü',
    'm',
    '100%',
    '%',
    '"x',
    "o'n",
    '\\',
    '_',
  ],
  ...[
    '😀',
    '😀😀',
    'שלום',
    '1-2 ab',
    '12ab',
    '+49 89 123',
    '0049 89 123456',
    '089 123 456',
    '4989',
    'ada@home.example',
  ],
  ...['HOME', 'home.example gold', 'gold', 'go', 'silber ada', 'strasse', 'needle', 'nee', 'zzz', 'ada lovelace x'],
]
const texts = [
  'Ada',
  'Müller',
  'Muller',
  'Li',
  'Lila',
  "O'Neill",
  '100% x',
  '"x"',
  'b\\c_d',
  '😀😀 x',
  'שלום',
  'ada lovelace',
]
const phones = ['+49 (0)89 123-456', '089/123456', '1-2 ab', '004989']

/** Contacts and tasks of which each query finds some. */
function person(n: number): JsonRecord {
  const at = (list: readonly string[], by: number) => list[(n * by + Math.floor(n / 7)) % list.length]!
  return {
    ...{ first_name: at(texts, 5), last_name: at(texts, 7), job_title: n % 3 ? null : at(texts, 11) },
    ...{
      emails: n % 4 ? [] : [{ email: `ada${n % 8 ? n : ''}@home.example` }],
      phones: n % 5 ? [] : [{ phone_number: at(phones, 3) }],
    },
    metadata: {
      level: at(['Gold', 'Silber', 'none'], 2),
      note: n % 6 ? null : at(['Straße', 'needle', '12ab'], 1),
      fax: n % 9 ? null : at(phones, 1),
    },
  }
}

function errand(n: number): JsonRecord {
  return {
    title: texts[n % texts.length]!,
    description: n % 2 ? null : `${'Text '.repeat(n % 40)}${texts[(n * 5) % texts.length]}`,
  }
}

/** Compares what a list and a search find, which ends after 50 records. */
async function compare(client: Client, type: string, path: string): Promise<number> {
  let found = 0
  for (const q of queries) {
    const { ids, total } = await listed(client, path, q)
    const searched = (await searcher(client)(q, { types: type, limit: '50' })).map(({ id }) => id)
    if (total <= 50) assert.deepEqual(ids.toSorted(), searched.toSorted(), q)
    else assert.equal(searched.length, 50, q)
    if (total <= 100) assert.equal(ids.length, total, q)
    found += total
  }
  return found
}

async function declareAll(client: Client): Promise<void> {
  await declareField(client, 'level', 'choice', { options: ['Gold', 'Silber'] })
  await declareField(client, 'note', 'text')
  await declareField(client, 'fax', 'phone')
}

test('A list with q has exactly the records that a search finds', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await declareAll(client)
  await fill(
    server,
    client,
    contact,
    Array.from({ length: 90 }, (_, n) => person(n)),
  )
  await fill(
    server,
    client,
    task,
    Array.from({ length: 90 }, (_, n) => errand(n)),
  )

  assert.ok((await compare(client, 'contact', contacts)) > 100)
  assert.ok((await compare(client, 'task', '/api-v1-tasks')) > 100)
})

test('So has a long list, whether its texts are in the search index or not', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await declareAll(client)
  const rare = Array.from({ length: 40 }, (_, n) => person(n))
  const many = Array.from({ length: 2_100 }, (_, n) => ({ first_name: `Hay ${n}`, metadata: { note: `stack ${n}` } }))
  await fill(server, client, contact, [...rare, ...many])
  await fill(server, client, task, [
    ...Array.from({ length: 40 }, (_, n) => errand(n)),
    ...many.map(({ first_name: title }) => ({ title })),
  ])
  const check = async () => {
    const totals = [await compare(client, 'contact', contacts), await compare(client, 'task', '/api-v1-tasks')]
    const of = async (q: string) => (await listed(client, contacts, q)).total
    return [...totals, await of('stack'), await of('hay 209'), await of('stack hay 2099'), await of('h')]
  }

  const before = await check()
  await enterDue(server.store, resources.map(searchedOf), new AbortController().signal)

  assert.deepEqual(await check(), before)
  assert.deepEqual(before.slice(2), [2_100, 12, 1, 2_110])
})
