import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runHere } from '../support/command.ts'
import { totalOf } from '../support/imports.ts'
import { desk } from './import-desk.ts'

test('An import that was refused before it began can be repeated as it was', async (t) => {
  const { url, client, directory, importFile } = await desk(t, { 'a.csv': 'name\nNordwind\n' })
  const { key } = (await client.post('/api-v1-keys', { name: 'Reader', scopes: ['read:all'] })).body.data
  const results = join(directory, 'results.ndjson')
  const options = ['--results', results]

  const refused = await runHere([
    'import',
    'organizations',
    join(directory, 'a.csv'),
    '--url',
    url,
    '--key',
    key,
    ...options,
  ])
  const isLeft = existsSync(results)
  const repeated = await importFile('organizations', 'a.csv', ...options)

  assert.match(refused.stderr, /Required scope: write:organizations/)
  assert.deepEqual(
    [refused.code, isLeft, repeated.code, repeated.stderr.includes('already exists')],
    [1, false, 0, false],
  )
})

test('Failed rows and results have two files, or nothing is imported', async (t) => {
  const { client, directory, importFile } = await desk(t, { 'a.csv': 'name,domain\nNordwind,\n,x.example\n' })
  const both = join(directory, 'both')

  const { code, stderr } = await importFile(
    'organizations',
    'a.csv',
    '--errors',
    both,
    '--results',
    `${directory}/./both`,
  )

  assert.deepEqual([code, existsSync(both), await totalOf(client, 'organizations')], [2, false, 0])
  assert.match(stderr, /--errors and --results name the same file: give two/)
})

test('Nothing is imported if the file of failed rows cannot be written', async (t) => {
  const unknown = '019ecb27-2200-7000-8000-000000000000'
  const files = { 'a.csv': `first_name,organization_id\nAda,\nGrace,${unknown}\n` }
  const { client, directory, importFile } = await desk(t, files)
  const missing = join(directory, 'missing', 'errors.csv')

  const { code, stderr } = await importFile('contacts', 'a.csv', '--errors', missing)

  assert.deepEqual([code, await totalOf(client, 'contacts')], [1, 0])
  assert.match(stderr, /missing.errors\.csv/)
  assert.doesNotMatch(stderr, /\n\s+at /)
})
