import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { resources } from '../../src/features/index.ts'

test('Every field has its own mark in the search index', () => {
  const marks = resources.flatMap((resource) => searchedOf(resource).texts.map(({ mark }) => mark))

  assert.ok(marks.length > 10)
  assert.deepEqual(
    marks.filter((mark, at) => marks.indexOf(mark) !== at),
    [],
  )
})
