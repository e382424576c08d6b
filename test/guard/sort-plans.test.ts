import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Declared } from '../../src/engine/records/declared/declared.ts'
import { declaredTypes, hasSeveral } from '../../src/engine/records/declared/types.ts'
import { resources } from '../../src/features/index.ts'
import { scenes, statementsOf } from './list-statements.ts'

const [few, , all] = scenes
const contact = resources.find(({ name }) => name === 'contact')!
const directions = ['asc', 'desc']
/** Of the first page, and of those after a record without a value and one with a value. */
const places = [undefined, null, 'value']

const declared = (count: number): Declared[] =>
  Array.from({ length: count }, (_, at) => field(`field_${at}`, 'text', at + 1))

function field(key: string, type: Declared['type'], number = 1): Declared {
  return { number, id: key, key, type, options: ['a', 'b'], isUnique: false, isComplete: true }
}

for (const type of declaredTypes.filter((each) => !hasSeveral(each))) {
  test(`Each page of a list that is sorted by a declared field of type ${type} is read in the order of its index`, () => {
    for (const direction of directions) {
      for (const place of places) {
        const query = `sort=metadata.score:${direction}`
        for (const { sql, plan } of statementsOf(contact, query, all!, [field('score', type)], place)) {
          assert.ok(!plan.some((step) => step.includes('TEMP B-TREE')), `${sql}\n${plan.join('\n')}`)
        }
      }
    }
  })
}

test('A list finds each record of a join by its id, whatever it filters and sorts by', () => {
  const filters = ['is_primary=false', 'organization_id=null', 'last_name=Weber', 'created_at[gte]=2026-01-01']
  for (const pattern of ['', 'first_name[like]=te']) {
    for (const [one, other] of filters.flatMap((each) => filters.map((another) => [each, another]))) {
      for (const sort of ['metadata.field_0', 'metadata.field_0,metadata.field_1', 'last_name', 'created_at']) {
        for (const order of directions.map((direction) => sort.replaceAll(/(?=,|$)/g, `:${direction}`))) {
          for (const place of places) {
            const query = [pattern, one, other, `sort=${order}`].filter(Boolean).join('&')
            for (const { sql, plan } of statementsOf(contact, query, { ...all!, patterned: 10 }, declared(2), place)) {
              if (!sql.includes('CROSS JOIN')) continue
              const found = plan.filter((step) => step.startsWith('SEARCH contact ')).at(-1)!
              assert.match(found, /\bid=\?/, `${query}\n${sql}\n${plan.join('\n')}`)
            }
          }
        }
      }
    }
  }
})

test('A page that is sorted by twice as many declared fields looks up about twice as many values', () => {
  const lookups = (fields: number, query: string) => {
    const sort = Array.from({ length: fields }, (_, at) => `-metadata.field_${at}`).join()
    const statements = statementsOf(contact, `${query}sort=${sort}`, few!, declared(fields), 'value')
    return statements.flatMap(({ sql }) => sql.split('FROM field_value')).length
  }
  for (const query of ['', 'is_primary=false&last_name=Weber&']) {
    assert.ok(lookups(10, query) < 2.5 * lookups(5, query), query)
  }
})
