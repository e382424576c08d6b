import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../../src/crm/index.ts'
import { searchedOf } from '../../src/engine/list/search.ts'

test('No two fields mark their pieces for the search alike', () => {
  const marks = resources.flatMap((resource) => searchedOf(resource).texts.map(({ mark }) => mark))

  assert.ok(marks.length > 10)
  assert.deepEqual(
    marks.filter((mark, at) => marks.indexOf(mark) !== at),
    [],
  )
})
