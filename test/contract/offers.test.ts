import assert from 'node:assert/strict'
import { test } from 'node:test'
import { records } from '../../src/crm/records.ts'
import { pluralOf } from '../../src/lib/plural.ts'
import { agentFor } from '../mcp/agent.ts'
import { tested } from '../support/contract.ts'
import { uniqueKey } from '../support/fields.ts'
import { importAll } from '../support/imports.ts'
import { bodyFor, make } from '../support/make.ts'
import { start } from '../support/start.ts'

for (const resource of tested.filter((each) => records.includes(each))) {
  const { name, path, label, offers, operations } = resource

  test(`What ${path} offer`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const agent = agentFor({ url: server.url, key: client.key })
    const offered = (isOffered: boolean) => (isOffered ? 'are offered' : 'are refused')

    await t.test(`Declared fields ${offered(offers.fields)}, and records are found and upserted by them`, async () => {
      const field = { resource: name, key: uniqueKey, type: 'text', unique: true }
      const declared = await client.post('/api-v1-fields', field)
      assert.equal(declared.status, offers.fields ? 201 : 400)
      if (!offers.fields) return
      const body = { ...(await bodyFor(client, resource)), metadata: { [uniqueKey]: 'A-1' } }

      const put = await client.put(`/${path}?match_on=metadata.${uniqueKey}`, body)
      const again = await client.put(`/${path}?match_on=metadata.${uniqueKey}`, body)
      const found = await client.get(`/${path}?metadata.${uniqueKey}=A-1`)

      if (operations.includes('patch')) {
        assert.deepEqual([put.status, again.status], [201, 200], JSON.stringify(put.body))
        assert.deepEqual(
          found.body.data.map(({ id }: { id: string }) => id),
          [put.body.data.id],
        )
      } else assert.equal(found.status, 200)
    })

    await t.test(`Views ${offered(offers.views)}`, async () => {
      const made = await client.post('/api-v1-views', { name: `All of ${label}`, resource: name })

      assert.equal(made.status, offers.views ? 201 : 400)
      if (offers.views) assert.equal((await client.get(`/${path}?view=${made.body.data.id}`)).status, 200)
    })

    await t.test(`Webhooks ${offered(offers.events)}`, async () => {
      const webhook = { url: 'https://receiver.example/', events: [`${name}.*`] }

      assert.equal((await client.post('/api-v1-webhooks', webhook)).status, offers.events ? 201 : 400)
    })

    await t.test(`Imports ${offered(offers.imports)}`, async () => {
      const body = await bodyFor(client, resource)
      if (!offers.imports) {
        assert.equal((await client.post(`/api-v1-bulk/${pluralOf(resource)}`, { records: [body] })).status, 404)
        return
      }
      const job = await importAll(client, pluralOf(resource), [body])

      assert.deepEqual([job.type, job.successful_records], [`import_${pluralOf(resource).replaceAll('-', '_')}`, 1])
    })

    await t.test(`Agents ${offers.agents === 'none' ? 'do not see it' : `${offers.agents} it`}`, async () => {
      const { id } = await make(client, name)
      const got = await agent.call('get_record', { type: name, id })
      const saved = await agent.call('save_record', { type: name, id, values: {} })
      const isRefused = (result: { error?: { details?: { field: string }[] } }) =>
        result.error?.details?.some(({ field }) => field === 'type') === true

      assert.equal(isRefused(got), offers.agents === 'none', JSON.stringify(got))
      assert.equal(isRefused(saved), offers.agents !== 'write', JSON.stringify(saved))
    })
  })
}
