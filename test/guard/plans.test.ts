import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Declared } from '../../src/engine/records/declared/declared.ts'
import { type Field, type Resource, throughOf } from '../../src/engine/records/define.ts'
import type { Operator } from '../../src/engine/records/definition/filter.ts'
import { linkFilter } from '../../src/engine/records/kinds/filters.ts'
import { linkFilters } from '../../src/engine/records/links.ts'
import { resources } from '../../src/features/index.ts'
import { scenes, statementsOf } from './list-statements.ts'

/** The statements that may read all rows of a workspace, and why. */
const allowed: Record<string, string> = {
  'count ne': 'nearly all rows match; only the index is read, which holds the value',
  'count like':
    'the pattern has no piece of three characters, or matches many; only the index is read, which holds the text',
  'count ne of items': 'records without items match, too',
  'gather ne': 'few match, as the count has found, which has just read the same index',
  'gather like': 'the same',
  'gather ne of items': 'the same, in the table: its index has no filter column',
  page: 'read in the order of the list until the page is full: many rows match',
}

/** Whether a step of a plan reads all rows of a workspace, or of all workspaces. */
function readsAll({ table }: Resource, detail: string): boolean {
  return new RegExp(`^(SCAN|SEARCH) ${table}\\b`).test(detail) && !detail.includes(' AND ')
}

/** A value that every operator accepts for the field. */
function valueFor(resource: Resource, name: string): string {
  const candidates = ['text', 'true', '2026-06-15', '0197a000-0000-7000-8000-000000000000', '1', 'ada@kontor.example']
  if (resource.computed[name]) return 'true'
  const { filter, options = [] } = fieldOf(resource, name)
  const on = { column: name, key: name, nullable: false }
  return [...candidates, ...options].find((value) => !filter || filter.condition(on, 'eq', value)) ?? 'text'
}

function operatorsFor(resource: Resource, name: string): readonly Operator[] {
  if (resource.computed[name]) return ['eq']
  return fieldOf(resource, name).filter!.operators
}

function fieldOf(resource: Resource, name: string): Field {
  const { itemFilters, collections, stored, through } = resource
  if (linkFilters(resource)[name]) return { filter: linkFilter } as Field
  if (through[name]) return throughOf(resource, through[name]).field
  const { field, collection } = itemFilters[name] ?? {}
  return collection ? collections[collection]!.fields[field!]! : stored[name]!
}

const tags: Declared = {
  ...{ number: 1, id: 'tags', key: 'tags', type: 'choices', options: ['a', 'b'] },
  ...{ isUnique: false, isComplete: true },
}

test('No list of deals by a field of choices reads all deals to find a few', () => {
  const deal = resources.find(({ name }) => name === 'deal')!
  for (const filter of ['=a', '=null', '[in]=a,b', '[in]=a,null', '[all]=a,b', '[none]=a', '[none]=a,b']) {
    for (const sort of deal.sorts) {
      for (const scene of scenes) {
        const query = `metadata.tags${filter}&sort=${sort}`
        for (const { kind, sql, plan } of statementsOf(deal, query, scene, [tags])) {
          const isRead = kind !== 'page' && plan.some((detail) => readsAll(deal, detail))
          assert.ok(!isRead, `${kind}: ${query}\n${sql}\n${plan.join('\n')}`)
          const isScanned = plan.some((detail) => /^SCAN (?:field_choice|field_value)/.test(detail))
          assert.ok(!isScanned, `${kind}: ${query}\n${sql}\n${plan.join('\n')}`)
        }
      }
    }
  }
})

const seen = new Set<string>()

for (const resource of resources.filter(({ counted }) => counted)) {
  test(`No list of ${resource.path} reads all records to find a few, whatever it filters and sorts by`, () => {
    for (const name of [
      ...resource.filters,
      ...Object.keys({ ...resource.through, ...resource.computed, ...resource.itemFilters, ...linkFilters(resource) }),
    ]) {
      const ofItems = Object.hasOwn(resource.itemFilters, name) ? ' of items' : ''
      for (const operator of operatorsFor(resource, name)) {
        for (const value of operator === 'like' ? ['text', 'te'] : [valueFor(resource, name)]) {
          for (const sort of resource.sorts.flatMap((each) => [`${each}:asc`, `${each}:desc`])) {
            for (const scene of scenes) {
              const query = new URLSearchParams({ [`${name}[${operator}]`]: value, sort }).toString()
              for (const { kind, sql, plan } of statementsOf(resource, query, scene)) {
                if (!plan.some((detail) => readsAll(resource, detail))) continue
                const reason = kind === 'page' ? kind : `${kind} ${operator}${ofItems}`
                assert.ok(Object.hasOwn(allowed, reason), `${reason}: ${query}\n${sql}\n${plan.join('\n')}`)
                seen.add(reason)
              }
            }
          }
        }
      }
    }
  })

  test(`What no index of ${resource.path} leads to is compared in an index alone, before records are read`, () => {
    const patterns = resource.filters.filter((name) => operatorsFor(resource, name).includes('like'))
    for (const name of patterns) {
      for (const other of ['', ...patterns.filter((each) => each !== name)]) {
        const query = new URLSearchParams({
          [`${name}[like]`]: 'te',
          ...(other && { [`${other}[ne]`]: other === 'from' ? 'x@example.com' : 'x' }),
        })
        for (const sort of resource.sorts) {
          query.set('sort', sort)
          const statements = statementsOf(resource, query.toString(), scenes[1]!)
          for (const { plan } of statements.filter(({ kind }) => kind !== 'page')) {
            assert.match(plan[0]!, /COVERING INDEX/, `${query}\n${plan.join('\n')}`)
          }
        }
      }
    }
  })

  test(`A pattern in ${resource.path} whose pieces many records have is looked up again with others of its pieces`, () => {
    for (const name of resource.filters.filter((each) => operatorsFor(resource, each).includes('like'))) {
      const lookups = scenes.map((scene) => {
        const statements = statementsOf(resource, `${name}[like]=pattern`, scene)
        return statements.filter(({ sql }) => sql.includes('FROM search ')).length
      })
      assert.deepEqual(lookups, [1, 2, 2], name)
    }
  })

  test(`An unfiltered page of ${resource.path} is read in the order of an index`, () => {
    for (const sort of resource.sorts.flatMap((each) => [`${each}:asc`, `${each}:desc`])) {
      const [page, ...more] = statementsOf(resource, `sort=${sort}`, scenes[0]!)

      assert.deepEqual(more, [])
      assert.equal(page!.plan.length, 1, page!.plan.join('\n'))
      assert.match(page!.plan[0]!, new RegExp(`^SEARCH ${resource.table} USING (INDEX|PRIMARY KEY)`))
    }
  })

  test(`A total of ${resource.path} over one of its own fields is counted in an index alone`, () => {
    for (const name of resource.filters) {
      for (const operator of operatorsFor(resource, name)) {
        const query = new URLSearchParams({ [`${name}[${operator}]`]: valueFor(resource, name) }).toString()
        const count = statementsOf(resource, query, scenes[2]!).find(({ kind }) => kind === 'count')
        if (['eq', 'in'].includes(operator) && resource.tallied.includes(name)) {
          assert.equal(count, undefined, 'the total is stored')
          continue
        }

        assert.ok(count, query)
        assert.match(count.plan[0]!, / USING (COVERING INDEX|PRIMARY KEY) /, count.sql)
      }
    }
  })
}

for (const resource of resources.filter(({ search }) => search)) {
  test(`A list of ${resource.path} with q reads the few records that may match, and the items of each by their owner`, () => {
    const items = Object.values(resource.collections)
    for (const q of ['word another', 'w']) {
      const [few, all] = [scenes[0]!, scenes[2]!].map((scene) =>
        statementsOf(resource, `q=${q}&sort=created_at`, scene),
      )

      const gather = few!.find(({ kind }) => kind === 'gather')!
      assert.ok(!gather.plan.some((detail) => readsAll(resource, detail)), gather.plan.join('\n'))
      for (const { plan } of all!.filter(({ kind }) => kind === 'count')) {
        for (const { table, owner } of items) {
          const steps = plan.filter((detail) => detail.includes(` ${table} `))
          assert.ok(steps.length > 0)
          for (const step of steps) assert.ok(step.includes(`${owner}=?`), step)
        }
      }
    }
  })
}

test('Every allowed exception is used', () => {
  assert.deepEqual([...seen].sort(), Object.keys(allowed).sort())
})
