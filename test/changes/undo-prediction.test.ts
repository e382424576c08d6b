import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServer } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'

const undoPath = '/api-v1-undo'
const steps = 60
const plurals = ['pipelines', 'stages', 'products', 'organizations', 'contacts', 'deals', 'line-items', 'tasks']
const visit = { 'X-Request-Id': 'visit' }
const others = { 'X-Request-Id': 'others' }

/** The ids of the records that exist, by the last part of their path. */
type Known = Record<string, string[]>

/** Creates, changes, deletes or restores a record at random, as one of two visitors. What is refused changes nothing. */
async function step(client: Client, known: Known, random: Random): Promise<void> {
  const headers = random.pick([visit, visit, visit, others])
  const plural = random.pick(Object.keys(known))
  const ids = known[plural]!
  const what = ids.length === 0 ? 'create' : random.pick(['create', 'change', 'change', 'delete', 'restore'])
  if (what === 'create') {
    const { body } = await client.post(`/api-v1-${plural}`, bodyOf(plural, known, random), headers)
    if (body.data) ids.push(body.data.id)
    return
  }
  const id = random.pick(ids)
  if (what === 'change') await client.patch(`/api-v1-${plural}/${id}`, bodyOf(plural, known, random), headers)
  else if (what === 'delete') await client.delete(`/api-v1-${plural}/${id}`, headers)
  else await client.post(`/api-v1-trash/${id}/restore`, {}, headers)
}

/** Few names and values, so that records are in the way of one another. */
function bodyOf(plural: string, known: Known, random: Random): object {
  const name = random.pick(['One', 'Two', 'Three'])
  const sometimes = <T extends object>(more: T): T | undefined => (random.below(2) === 0 ? more : undefined)
  const [organization_id = null, deal_id = null] = [random.pick(known.organizations!), random.pick(known.deals!)]
  const [pipeline_id, stage_id, product_id] = [
    random.pick(known.pipelines!),
    random.pick(known.stages!),
    random.pick(known.products!),
  ]
  const currency = random.pick(['EUR', 'USD'])
  switch (plural) {
    case 'pipelines':
      return { name, ...sometimes({ is_default: true }) }
    case 'stages': {
      const requires = random.pick([[], ['value'], ['expected_close_date']])
      return { name, ...(pipeline_id && { pipeline_id }), ...sometimes({ requires }) }
    }
    case 'products':
      return { name, price: random.below(3), currency }
    case 'organizations':
      return { name, city: random.pick(['Kiel', 'Bonn']), metadata: { tax_id: name } }
    case 'contacts':
      return { first_name: name, organization_id, is_primary: random.below(2) === 0 }
    case 'deals':
      return { title: name, organization_id, ...(stage_id && { stage_id }), ...sometimes({ value: 2, currency }) }
    case 'line-items':
      return { name, unit_price: random.below(3), deal_id, ...(product_id && sometimes({ product_id })) }
    default:
      return { title: name, organization_id, deal_id }
  }
}

function sorted(report: Record<string, JsonRecord[]>): unknown {
  const lists = Object.entries(report).map(([name, items]) => {
    return [name, items.toSorted((a, b) => (a.record_id < b.record_id ? -1 : 1))]
  })
  return Object.fromEntries(lists)
}

for (let round = 1; round <= 6 * rounds; round++) {
  test(`A dry run says what the undo then does (random changes ${round})`, async (t) => {
    const random = randomOf(round)
    const { client } = await openServer(t)
    await client.post('/api-v1-fields', { resource: 'organization', key: 'tax_id', type: 'text', unique: true })
    const known: Known = Object.fromEntries(plurals.map((plural) => [plural, []]))
    for (let n = 0; n < steps; n++) await step(client, known, random)
    const asked = { request_id: 'visit', force: random.below(3) === 0 }

    const dry = await client.post(undoPath, { ...asked, dry_run: true })
    const { body } = await client.post(undoPath, asked)

    assert.deepEqual(sorted(dry.body.data), sorted(body.data))
  })
}
