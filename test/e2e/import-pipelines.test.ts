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
