import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field, Resource } from '../../src/engine/records/define.ts'
import { type Operator, operators } from '../../src/engine/records/definition/filter.ts'
import { assertError } from '../support/client.ts'
import { comparedOf, filtersByCreation, idsOf, listPath, plant, tested, unknownId } from '../support/contract.ts'
import type { JsonRecord } from '../support/make.ts'
import { start } from '../support/start.ts'
import { matches, operatorsOf, textKinds } from './expected.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

interface Filtered {
  field: Field
  /** The values of a record: several for a field of a collection. */
  valuesOf: (record: JsonRecord) => unknown[]
  ofItems: boolean
}

function filtersOf({ filters, itemFilters, stored, collections }: Resource): [string, Filtered][] {
  const own = filters.map((name): [string, Filtered] => [
    name,
    { field: stored[name]!, valuesOf: (record) => [comparedOf(record[name])], ofItems: false },
  ])
  const items = Object.entries(itemFilters).map(([name, { collection, field }]): [string, Filtered] => {
    const { fields, as } = collections[collection]!
    const valuesOf = (record: JsonRecord) => record[as].map((item: JsonRecord) => item[field])
    return [name, { field: fields[field]!, valuesOf, ofItems: true }]
  })
  return [...own, ...items]
}

/** Values to filter by: some that records have, some that none has, and other notations of the kind. */
function probesOf({ field }: Filtered, operator: Operator, held: string[]): string[] {
  if (operator === 'like')
    return ['ORD', 'öko', 'oko', 'ÄRZTE', 'Arzte', 'n%n', '_m', '%', '\\', '100%o', 'o%', 'zzz', 'otto@', 'x_']
  const probes = [...new Set(held), ...strangers(field)]
  if (operator !== 'in') return probes
  return [held.slice(0, 3), probes.slice(-2), [...held.slice(0, 1), ...strangers(field)], strangers(field).slice(-1)]
    .filter((values) => values.length > 0)
    .map((values) => values.map((value) => value.replaceAll(',', '\\,')).join(' , '))
}

/** Only equality compares with empty; in a pattern, it is the word. */
function isTakenBy(operator: Operator, probe: string): boolean {
  return probe !== 'null' || ['eq', 'ne', 'in', 'like'].includes(operator)
}

function strangers({ kind, name }: Field): string[] {
  const nothing = ['null']
  if (kind === 'email' || kind === 'mailbox') return ['GRACE@nordstern.example', 'nobody@nowhere.example', ...nothing]
  if (name === 'phone_number') return ['4930123', '(0)30 123', '1-800-FLOWERS', ...nothing]
  if (textKinds.has(kind)) return ['NORDSTERN', 'm', 'apfelbaum', 'GRACE@nordstern.example', 'ARZTEHAUS', 'null']
  if (kind === 'reference') return [unknownId, ...nothing]
  if (kind === 'number' || kind === 'position') return ['-1', '2.50', ...nothing]
  if (kind === 'date') return ['2026-07-02', '0001-01-01', ...nothing]
  if (kind === 'moment' || kind === 'timestamp') {
    return [
      '2026-06-15',
      '2026-06-16',
      '2026-06-15T21:00:00+02:00',
      '2026-06-15T19:00',
      '2026-06-15t19:00:00z',
      ...nothing,
    ]
  }
  return nothing
}

function expectedIds(records: JsonRecord[], { field, valuesOf, ofItems }: Filtered, operator: Operator, probe: string) {
  const negated = ofItems && operator === 'ne'
  const some = (record: JsonRecord) => {
    const values = valuesOf(record)
    // `null` means that a record has no items.
    const given = ofItems && values.length === 0 && ['eq', 'ne', 'in'].includes(operator) ? [null] : values
    return given.some((value) => matches(field, negated ? 'eq' : operator, value, probe))
  }
  return idsOf(records.filter((record) => some(record) !== negated)).sort()
}

for (const resource of tested) {
  test(`Filters of ${resource.path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const records = await plant(server, client, resource)

    for (const [name, filtered] of filtersOf(resource)) {
      const isPhone = filtered.field.name === 'phone_number' // equality takes only what has digits
      const held = records
        .flatMap(filtered.valuesOf)
        .filter((value) => value !== null)
        .map(String)
        .filter((value) => !isPhone || /\d/.test(value))
      const allowed = operatorsOf(filtered.field)

      for (const operator of allowed) {
        await t.test(
          `GET /${resource.path}: ${name}[${operator}] finds the matching records, in both forms`,
          async () => {
            const forms = [`${name}[${operator}]`, `filter[${name}][${operator}]`]
            const probes = probesOf(filtered, operator, held).filter((probe) => isTakenBy(operator, probe))

            for (const [at, probe] of probes.entries()) {
              const parameter = forms[at % 2]!
              const expected = expectedIds(records, filtered, operator, probe)

              const { status, body } = await client.get(listPath(resource, { [parameter]: probe }))

              assert.equal(status, 200, `${parameter}=${probe}: ${JSON.stringify(body)}`)
              assert.deepEqual(idsOf(body.data).sort(), expected, `${parameter}=${probe}`)
              assert.equal(body.pagination.total, expected.length)
            }
          },
        )
      }

      const unspoken = resource.defaultOperators[name] ?? 'eq'
      await t.test(`GET /${resource.path}: ${name} without an operator means ${unspoken}, in both forms`, async () => {
        const probe = held[0] ?? strangers(filtered.field)[0]!
        const expected = expectedIds(records, filtered, unspoken, probe)

        for (const parameter of [name, `filter[${name}]`]) {
          const { body } = await client.get(listPath(resource, { [parameter]: probe }))

          assert.deepEqual(idsOf(body.data).sort(), expected)
        }
      })

      await t.test(`GET /${resource.path}: ${name} refuses other operators`, async () => {
        const unknown = [
          ...operators.filter((operator) => !allowed.includes(operator)),
          'contains',
          'EQ',
          'constructor',
        ]

        for (const operator of unknown) {
          for (const parameter of [`${name}[${operator}]`, `filter[${name}][${operator}]`]) {
            const response = await client.get(listPath(resource, { [parameter]: held[0] ?? unknownId }))

            assertError(response, 400, 'VALIDATION_ERROR', undefined, [parameter])
          }
        }
      })
    }

    if (!filtersByCreation(resource)) return

    await t.test(`GET /${resource.path}: the first and the last day of the calendar can be filtered by`, async () => {
      const everything = idsOf(records).sort()

      for (const [operator, day, expected] of [
        ['lte', '9999-12-31', everything],
        ['lt', '9999-12-31', everything],
        ['ne', '9999-12-31', everything],
        ['gt', '9999-12-31', []],
        ['eq', '9999-12-31', []],
        ['gte', '0000-01-01', everything],
        ['lt', '0000-01-01', []],
      ] as const) {
        const { body } = await client.get(listPath(resource, { [`created_at[${operator}]`]: day }))

        assert.deepEqual(idsOf(body.data).sort(), expected, `${operator} ${day}`)
      }
    })

    await t.test(`GET /${resource.path}: a record must match all filters, including two on one field`, async () => {
      const [first, , third] = [...new Set(records.map((record) => record.created_at))].sort()
      const range = { 'created_at[gte]': first, 'filter[created_at][lt]': third, 'updated_at[ne]': '1999-01-01' }
      const expected = records.filter(({ created_at }) => created_at >= first && created_at < third)

      const { body } = await client.get(listPath(resource, range))

      assert.deepEqual(idsOf(body.data).sort(), idsOf(expected).sort())
      assert.ok(expected.length > 0 && expected.length < records.length)
    })

    await t.test(`GET /${resource.path}: a record must match both values of a repeated filter`, async () => {
      const [first, other] = [...new Set(records.map((record) => record.created_at))]
      const repeated = new URLSearchParams([
        ['created_at', first],
        ['created_at', other],
      ])

      const { body } = await client.get(`/${resource.path}?${repeated}`)

      assert.deepEqual([body.data, body.pagination.total], [[], 0])
    })
  })
}
