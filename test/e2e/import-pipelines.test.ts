import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { make } from '../support/make.ts'
import { desk } from './import-desk.ts'

const rows = [
  { title: 'Alone' },
  { pipeline: 'partners', title: 'Theirs' },
  { pipeline: 'Sales', title: 'Ours' },
  { pipeline: 'Other', title: 'Lost' },
]
const files = {
  'deals.csv': `stage,pipeline,title\n${rows.map(({ pipeline = '', title }) => `Lead,${pipeline},${title}\n`).join('')}`,
  'deals.json': JSON.stringify(rows.map((row) => ({ stage: 'Lead', ...row }))),
  'deals.ndjson': rows
    .map(({ pipeline, title }) => ({
      title,
      stage: { name: 'Lead' },
      ...(pipeline && { pipeline: { name: pipeline } }),
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join(''),
}

for (const [file, content] of Object.entries(files))
  test(`A name of stages in two pipelines fails its row of ${file}, unless the record names the pipeline`, async (t) => {
    const { client, directory, importFile } = await desk(t, { [file]: content })
    const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
    const { id } = await make(client, 'stage', { name: 'Lead', pipeline_id })

    const { code } = await importFile('deals', file)

    const text = readFileSync(join(directory, 'deals.errors.csv'), 'utf8')
    assert.notEqual(code, 0)
    assert.match(text, /Several stages have name "+Lead"+: name the pipeline, too/)
    assert.match(text, /No pipeline has name "+Other"+/)
    const { body } = await client.get('/api-v1-deals?sort=title')
    const deals = body.data.map(({ title, stage_id }: { title: string; stage_id: string }) => [title, stage_id === id])
    assert.deepEqual(deals, [
      ['Ours', false],
      ['Theirs', true],
    ])
  })

test('Names of other types in a JSON file fail their rows at most, and the other rows come in', async (t) => {
  const odd = [
    { title: 'Good', stage: 'Lead' },
    { title: 'Odd metadata', stage: 'Lead', organization: { metadata: { number: 5 } } },
    { title: 'Empty names', stage: ' ', pipeline: {}, contact: { email: 5 }, organization: null },
    { title: 'Nothing named', stage: {}, pipeline: { id: 5 } },
    { title: 'Odd people', stage: 'Lead', contacts: [null, 'x', 5, { email: 'nobody@x.example', job_title: 'CEO' }] },
    { title: 'Good, too', stage: 'Lead' },
  ]
  const people = [
    { first_name: 'Ada', contact_emails: [null, 'x', { id: '1', email: 'ada@x.example' }] },
    { first_name: 'Grace' },
  ]
  const { client, importFile } = await desk(t, {
    'deals.json': JSON.stringify(odd),
    'contacts.json': JSON.stringify(people),
  })

  const runs = [await importFile('deals', 'deals.json'), await importFile('contacts', 'contacts.json')]

  for (const { stderr } of runs) assert.doesNotMatch(stderr, /TypeError|undefined|HTTP/)
  const titles = (await client.get('/api-v1-deals?sort=title')).body.data.map(({ title }: { title: string }) => title)
  assert.deepEqual(titles, ['Empty names', 'Good', 'Good, too', 'Nothing named', 'Odd metadata'])
  assert.deepEqual(
    (await client.get('/api-v1-contacts')).body.data.map(({ first_name }: { first_name: string }) => first_name),
    ['Grace'],
  )
})
