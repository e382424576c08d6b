import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { totalOf } from '../support/imports.ts'
import { desk } from './import-desk.ts'

test('A row that is too long keeps its cells in the file of failed rows, and fails again until it is corrected', async (t) => {
  const { client, directory, importFile } = await desk(t, { 'a.csv': 'Name\nA, Inc\nB\n' })
  const errors = (name: string) => readFileSync(join(directory, name), 'utf8')

  await importFile('organizations', 'a.csv')
  const first = errors('a.errors.csv')
  const second = await importFile('organizations', 'a.errors.csv', '--errors', join(directory, 'b.csv'))
  const third = await importFile('organizations', 'b.csv', '--errors', join(directory, 'c.csv'))

  assert.match(first, /\r\nA,"The row has 2 cells, the header has 1"," Inc"\r\n$/)
  assert.deepEqual([second.code, third.code, await totalOf(client, 'organizations')], [1, 1, 1])
  assert.match(errors('c.csv'), /\r\nA,"The row has 3 cells, the header has 2"," Inc"\r\n$/)
})
