import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { make } from '../support/make.ts'
import { desk } from './import-desk.ts'

test('A name of stages in two pipelines fails its row, unless the record names the pipeline', async (t) => {
  const lines = [',Alone', 'partners,Theirs', 'Sales,Ours', 'Other,Lost'].map((line) => `Lead,${line}\n`)
  const { client, directory, importFile } = await desk(t, { 'deals.csv': `stage,pipeline,title\n${lines.join('')}` })
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  const { id } = await make(client, 'stage', { name: 'Lead', pipeline_id })

  const { code } = await importFile('deals', 'deals.csv')

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
