import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../../src/engine/records/define.ts'
import { assertError } from '../support/client.ts'
import { listPath, tested } from '../support/contract.ts'
import { validOf } from '../support/samples.ts'
import { start } from '../support/start.ts'
import { textKinds } from './expected.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const malformed: Record<string, string[]> = {
  choice: ['no such', 'LEAD', '', '0', 'NULL'],
  flag: ['yes', '1', 'TRUE', '', 'NULL'],
  reference: ['7', 'no-uuid', '', 'none'],
  number: ['five', '', '1e', '0x10', 'Infinity', 'NaN', '1_5'],
  date: ['2026-02-30', '2026-13-01', 'soon', '', '01.07.2026'],
  moment: ['2026-02-30', '2026-06-15T25:00:00Z', '2026-06-15T12:60:00Z', 'yesterday', '', '1781524800', '2026'],
}
/** Text of which a record can have any has no malformed value but `null`, which is nothing to compare with. */
const notText: Record<string, string[]> = {
  email: ['ann crm@x.example', 'ann@x', 'ann', '@x.example', ' ann@x.example'],
  phone_number: ['none', '+', '( )'],
}

notText.mailbox = notText.email!
for (const values of Object.values(malformed)) values.push('constructor', '__proto__')
malformed.timestamp = malformed.moment!
malformed.position = malformed.number!

for (const resource of tested) {
  test(`Invalid filters of ${resource.path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    const items = Object.entries(resource.itemFilters).map(([name, { collection, field }]): [string, Field] => [
      name,
      resource.collections[collection]!.fields[field]!,
    ])
    for (const [name, field] of [
      ...resource.filters.map((each): [string, Field] => [each, resource.stored[each]!]),
      ...items,
    ]) {
      if (!textKinds.has(field.kind)) continue
      await t.test(
        `GET /${resource.path}: ${name} has no order with empty, and takes only what it can be`,
        async () => {
          const refused = [
            ...['gt', 'gte', 'lt', 'lte'].map((operator) => [`${name}[${operator}]`, 'null'] as const),
            ...(notText[field.kind] ?? notText[field.name] ?? []).flatMap((value) => [
              [`${name}[eq]`, value] as const,
              [`filter[${name}][ne]`, value] as const,
              [`${name}[in]`, `null,${value.trim() === value ? value : 'x'}`] as const,
            ]),
          ]
          for (const [parameter, value] of refused) {
            const response = await client.get(listPath(resource, { [parameter]: value }))

            assertError(response, 400, 'VALIDATION_ERROR', undefined, [parameter])
            assert.equal(response.body.error.details[0].code, 'INVALID_FORMAT')
          }
        },
      )
    }

    for (const field of resource.filters.map((name) => resource.stored[name]!)) {
      const { name, kind } = field
      if (!textKinds.has(kind)) {
        await t.test(
          `GET /${resource.path}: a malformed value of ${name} is refused, alone and in a list`,
          async () => {
            for (const value of malformed[kind]!) {
              for (const [parameter, sent] of [
                [name, value],
                [`filter[${name}][gt]`, value],
                [`${name}[ne]`, value],
                [`${name}[in]`, `${value},${value}`],
              ] as const) {
                const response = await client.get(listPath(resource, { [parameter]: sent }))

                assertError(response, 400, 'VALIDATION_ERROR', undefined, [parameter])
                const isEmptyList = sent === ','
                const code = kind === 'choice' || isEmptyList ? 'INVALID_VALUE' : 'INVALID_FORMAT'
                assert.equal(response.body.error.details[0].code, code)
              }
            }
          },
        )
      }

      await t.test(`GET /${resource.path}: ${name}[in] takes 1 to 100 values`, async () => {
        const value = kind === 'moment' ? '2026-06-15' : String((await validOf(client, field))[0])
        const many = (count: number) => Array(count).fill(value).join()

        const hundred = await client.get(listPath(resource, { [`${name}[in]`]: many(100) }))
        const more = await client.get(listPath(resource, { [`${name}[in]`]: many(101) }))
        const none = await client.get(listPath(resource, { [`filter[${name}][in]`]: '' }))

        assert.equal(hundred.status, 200)
        assertError(more, 400, 'VALIDATION_ERROR', undefined, [`${name}[in]`])
        assertError(none, 400, 'VALIDATION_ERROR', undefined, [`filter[${name}][in]`])
        const codes = [more, none].map(({ body }) => body.error.details[0].code)
        assert.deepEqual(codes, ['TOO_LONG', 'INVALID_VALUE'])
      })
    }

    const strange = [
      'nonsense',
      'filter[nonsense]',
      'filter[nonsense][eq]',
      'filter',
      'filter[]',
      'created_at[]',
      'id[eq][eq]',
    ]
    for (const parameter of [
      ...strange,
      'created_at[eq',
      'workspace_id',
      'deleted_at',
      'constructor',
      '__proto__',
      'fields',
    ]) {
      await t.test(
        `GET /${resource.path}: the unknown parameter ${parameter} is refused, with a list of the allowed ones`,
        async () => {
          const response = await client.get(`/${resource.path}?${encodeURIComponent(parameter)}=x`)

          assertError(response, 400, 'VALIDATION_ERROR', undefined, [parameter])
          for (const name of [...resource.filters, 'sort', 'limit', 'cursor']) {
            assert.match(response.body.error.message, new RegExp(`\\b${name}\\b`))
          }
        },
      )
    }

    await t.test(`GET /${resource.path}: every invalid parameter is reported`, async () => {
      const response = await client.get(
        listPath(resource, { nonsense: 'x', 'created_at[gt]': 'x', sort: 'x', limit: '0' }),
      )

      const fields: string[] = response.body.error.details.map(({ field }: { field: string }) => field)
      assertError(response, 400, 'VALIDATION_ERROR', response.body.error.details[0].message)
      assert.deepEqual(fields.sort(), ['created_at[gt]', 'limit', 'nonsense', 'sort'])
    })
  })
}
