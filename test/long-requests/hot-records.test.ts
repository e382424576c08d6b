import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { update } from '../../src/engine/records/rows/write.ts'
import { type Meter, meter } from '../http/heavy/meter.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague } from '../support/visitor.ts'
import { workspaceOf } from './under-request.ts'

/** How often the hot record is changed, and how long its metadata are. */
const [times, length] = [300, 10_000]
/** What one turn of the event loop may handle: a few of the changes. */
const bytesMax = 50 * length

/** A server with an organization that was changed often, and what it handles in a turn of the event loop. */
async function openHot(t: Parameters<typeof start>[0]) {
  let measured: Meter | undefined
  const server = await start(t, {
    prepare(db) {
      measured = meter(db)
    },
  })
  const client = await server.client()
  const hot = await make(client, 'organization')
  const origin = { actor: { type: 'api_key', id: client.keyId }, requestId: 'hot' } as const
  for (let n = 0; n < times; n++) {
    const metadata = JSON.stringify({ n, text: 'x'.repeat(length) })
    await server.store.write(
      workspaceOf(server.store, client),
      (tx) => update(organization, tx, hot.id, { metadata }),
      origin,
    )
  }
  return { server, client, hot, meter: measured! }
}

/** Fails if a turn has handled more than a few changes. */
function assertBounded({ most }: Meter): void {
  assert.ok(most.bytes < bytesMax && most.rows < 200, `${most.bytes} bytes and ${most.rows} rows in a turn`)
}

const seqOf = async (client: Client, id: string) =>
  (await client.get(`/api-v1-changes?record_id=${id}&limit=1`)).body.data[0].seq

test('An undo of what a key did since a time is selected beside the event loop, also if nothing is', async (t) => {
  const { client, hot, meter } = await openHot(t)
  meter.reset()

  const all = await client.post('/api-v1-undo', { key_id: client.keyId, since: '2020-01-01T00:00:00Z', dry_run: true })
  const none = await client.post('/api-v1-undo', { key_id: client.keyId, since: '2099-01-01T00:00:00Z', dry_run: true })

  assert.equal(all.body.data.reversed[0].record_id, hot.id)
  assert.equal(none.status, 404)
  assertBounded(meter)
})

test('An earlier state that includes a record that was changed often is derived beside the event loop', async (t) => {
  const { client, hot, meter } = await openHot(t)
  const contact = await make(client, 'contact', { organization_id: hot.id })
  const seq = await seqOf(client, contact.id)
  await client.patch(`/api-v1-organizations/${hot.id}`, { name: 'Renamed' })
  meter.reset()

  const { body } = await client.get(`/api-v1-contacts/${contact.id}?as_of=${seq}&include=organization`)

  assert.equal(body.data.organization.name, hot.name)
  assertBounded(meter)
})

test('The latest changes of the console are read beside the event loop', async (t) => {
  const { server, hot, meter } = await openHot(t)
  const user = await newColleague(server, 'owner')
  await user.patch(`/api-v1-organizations/${hot.id}`, { city: 'Kiel' })
  meter.reset()

  const { body } = await user.get('/console/latest-changes')

  assert.equal(body.data[0].type, 'organization.updated')
  assertBounded(meter)
})

test('An undo of one of many changes of a record keeps what was changed again since', async (t) => {
  const { client, hot } = await openHot(t)
  const first = (await client.get(`/api-v1-changes?record_id=${hot.id}&types=organization.updated&limit=1`)).body
    .data[0].seq

  const { body } = await client.post('/api-v1-undo', { seq: first })

  assert.equal(body.data.kept[0].message, 'Its fields were changed again since')
})
