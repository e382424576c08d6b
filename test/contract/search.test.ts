import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { searcher } from '../support/search.ts'
import { start } from '../support/start.ts'

async function open(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const search = searcher(client)
  const make = async (plural: string, body: object): Promise<string> => {
    const response = await client.post(`/api-v1-${plural}`, body)
    assert.equal(response.status, 201, JSON.stringify(response.body))
    return response.body.data.id
  }
  const titles = async (q: string, rest?: Record<string, string>) => (await search(q, rest)).map(({ title }) => title)
  return { client, clock: server.clock, search, make, titles }
}

test('A search finds records of every type, with the field that matches and what describes the record', async (t) => {
  const { make, search } = await open(t)
  const organization_id = await make('organizations', {
    name: 'Zanzibar Feinkost',
    domain: 'shop.example',
    city: 'Munich',
  })
  const phones = [{ phone_number: '+49 89 123 456' }]
  const emails = [{ email: 'ada@zanzibar.example' }]
  const person = { first_name: 'Ada', last_name: 'Weber', job_title: 'Head of sales', organization_id, emails, phones }
  const contact_id = await make('contacts', person)
  const deal = await make('deals', { title: 'Zanzibar hampers', organization_id })
  const task = await make('tasks', {
    title: 'Call',
    description: 'Ask zanzibar for the date',
    contact_id,
    organization_id,
  })
  const activity = await make('activities', { type: 'call', description: 'In Zanzibar', contact_id })

  const found = await search('zanzibar')

  assert.deepEqual(
    found.map(({ type, id, title, subtitle }) => [type, id, title, subtitle]),
    [
      ['deal', deal, 'Zanzibar hampers', 'Lead · Zanzibar Feinkost'],
      ['organization', organization_id, 'Zanzibar Feinkost', 'shop.example · Munich'],
      ['activity', activity, 'call', 'call · Ada Weber'],
      ['task', task, 'Call', 'Ada Weber · Zanzibar Feinkost'],
      ['contact', contact_id, 'Ada Weber', 'Head of sales · Zanzibar Feinkost'],
    ],
  )
  assert.deepEqual(
    found.map(({ matched }) => matched),
    [
      [{ field: 'title', text: 'Zanzibar hampers' }],
      [{ field: 'name', text: 'Zanzibar Feinkost' }],
      [{ field: 'description', text: 'In Zanzibar' }],
      [{ field: 'description', text: 'Ask zanzibar for the date' }],
      [{ field: 'email', text: 'ada@zanzibar.example' }],
    ],
  )
})

test('All words must match, in any order, each in any field, at the beginning of a word or inside it', async (t) => {
  const { make, titles } = await open(t)
  await make('contacts', { first_name: 'Ada', last_name: 'Müller', job_title: 'Head of sales' })
  await make('contacts', { first_name: 'Ada', last_name: 'Weber' })
  await make('contacts', { first_name: 'Max', last_name: 'Müller', emails: [{ email: 'm@ada.example' }] })

  assert.deepEqual(await titles('müller ada'), ['Ada Müller', 'Max Müller'])
  assert.deepEqual(await titles('SALES  MÜL'), ['Ada Müller'])
  assert.deepEqual(await titles('ller ead'), ['Ada Müller'])
  assert.deepEqual(await titles('MULLER head'), ['Ada Müller'])
  assert.deepEqual(await titles('a müller max'), ['Max Müller'])
  assert.deepEqual(await titles('ada müller berlin'), [])
})

test('Exact values are first, then beginnings of names, beginnings of words, and insides of words', async (t) => {
  const { make, titles, search } = await open(t)
  await make('organizations', { name: 'Exact', domain: 'nord.example' })
  await make('organizations', { name: 'Nord.example group' })
  await make('organizations', { name: 'The nord.example' })
  await make('organizations', { name: 'Xnord.example' })
  await make('contacts', { first_name: 'Eve', last_name: 'Late', emails: [{ email: 'Nord@Example.com' }] })
  await make('contacts', { first_name: 'Max', last_name: 'Nord@example.com' })
  const phoned = await make('contacts', { first_name: 'P', phones: [{ phone_number: '+49 (0)89 123-456' }] })
  await make('organizations', { name: '4989123456 Ltd' })

  assert.deepEqual(await titles('NORD.example'), ['Exact', 'Nord.example group', 'The nord.example', 'Xnord.example'])
  assert.deepEqual(await titles('nord@example.com'), ['Eve Late', 'Max Nord@example.com'])
  assert.deepEqual(await titles('4989123456'), ['P', '4989123456 Ltd'])
  assert.deepEqual(await titles('+49 89 123'), ['P'])
  assert.deepEqual(await titles('0049 89 123456'), ['P'])
  const [byId] = await search(phoned.toUpperCase())
  assert.deepEqual([byId!.id, byId!.matched], [phoned, [{ field: 'id', text: phoned }]])
})

test('An email is found by words with accents, in part and as a whole', async (t) => {
  const { make, titles } = await open(t)
  await make('contacts', { first_name: 'Named', last_name: 'Łukasz Straße-Müller' })
  const emails = [{ email: 'lukasz.strasse-muller@shop.example' }]
  await make('contacts', { first_name: 'Mail', last_name: 'Only', emails })

  for (const q of ['Łukasz', 'straße', 'müller', 'lukasz straße']) {
    assert.deepEqual((await titles(q)).toSorted(), ['Mail Only', 'Named Łukasz Straße-Müller'], q)
  }
  assert.deepEqual(await titles('Łukasz.Straße-Müller@shop.example'), ['Mail Only'])
})

test('Among equal matches, the latest change is first', async (t) => {
  const { client, clock, make, titles } = await open(t)
  const [first] = [await make('deals', { title: 'Same a' }), await make('deals', { title: 'Same b' })]
  assert.deepEqual(await titles('same'), ['Same b', 'Same a'])

  clock.advance(1_000)
  await client.patch(`/api-v1-deals/${first}`, { value: 7 })

  assert.deepEqual(await titles('same'), ['Same a', 'Same b'])
})

test('The next request after a change finds the record by its new text, and not by the former one', async (t) => {
  const { client, make, titles } = await open(t)
  const task = await make('tasks', { title: 'Call', description: 'former text' })
  assert.deepEqual(await titles('former'), ['Call'])
  await client.patch(`/api-v1-tasks/${task}`, { description: 'newer text' })

  assert.deepEqual([await titles('former'), await titles('newer')], [[], ['Call']])
  await client.delete(`/api-v1-tasks/${task}`)
  assert.deepEqual(await titles('newer'), [])
  assert.deepEqual(await titles(task), [])
})

test('Words of one or two characters find the words that begin with them, names that begin with them first', async (t) => {
  const { make, titles } = await open(t)
  await make('contacts', { first_name: 'Ada', last_name: 'Li', job_title: 'Buyer' })
  await make('organizations', { name: 'Polite' })
  await make('organizations', { name: 'De la Rue', city: 'Berlin' })

  assert.deepEqual(await titles('l'), ['Ada Li', 'De la Rue'])
  assert.deepEqual(await titles('it'), [])
  assert.deepEqual(await titles('b'), ['De la Rue', 'Ada Li'])
  assert.deepEqual(await titles('li a'), ['Ada Li'])
  assert.deepEqual(await titles('de la'), ['De la Rue'])
  assert.deepEqual(await titles('li ada'), ['Ada Li'])
})

test('Every character is literal', async (t) => {
  const { make, titles } = await open(t)
  const names = [
    '100% wool',
    'a"quoted"b',
    "O'Neill 'x'",
    'back\\slash',
    'star*fish',
    'שלום עולם',
    '😀😀 party',
    'x_y_z',
    '(a OR b)',
  ]
  for (const name of names) await make('organizations', { name })

  for (const [q, name] of [
    ['00%', '100% wool'],
    ['"quo', 'a"quoted"b'],
    ["o'nei", "O'Neill 'x'"],
    ['k\\sl', 'back\\slash'],
    ['ar*fi', 'star*fish'],
    ['עולם', 'שלום עולם'],
    ['😀😀', '😀😀 party'],
    ['😀', '😀😀 party'],
    ['x_y', 'x_y_z'],
    ['(a or b)', '(a OR b)'],
  ] as const) {
    assert.deepEqual(await titles(q), [name], q)
  }
  assert.deepEqual(await titles('1%l'), [])
  assert.deepEqual(await titles('b%'), [])
})

test('An excerpt of a long text shows the word', async (t) => {
  const { make, search } = await open(t)
  await make('tasks', { title: 'Long', description: `${'ß gone '.repeat(500)} needle ${'more '.repeat(500)}` })

  const [found] = await search('needle')

  assert.match(found!.matched[0]!.text, /^….* needle .*…$/)
  assert.ok(found!.matched[0]!.text.length < 210)
  const [short] = await search('ne')
  assert.match(short!.matched[0]!.text, /^….* needle .*…$/)
})

test('limit and types restrict the results, and a limit above 50 is 50', async (t) => {
  const { make, search } = await open(t)
  for (let row = 0; row < 55; row++) await make('deals', { title: `Many ${row}` })
  await make('tasks', { title: 'Many' })

  assert.equal((await search('many')).length, 10)
  assert.equal((await search('many', { limit: '3' })).length, 3)
  assert.equal((await search('many', { limit: '500' })).length, 50)
  assert.deepEqual(
    (await search('many', { types: 'task, organization' })).map(({ type }) => type),
    ['task'],
  )
})
