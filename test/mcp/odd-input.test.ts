import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentFor } from '../support/agent.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

async function open(t: TestContext) {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  return { url, client, agent: agentFor({ url, key: client.key }) }
}

test('An id that is no UUID is not found, also if it is the name of another path or no valid text', async (t) => {
  const { agent, client } = await open(t)
  const { id } = await make(client, 'contact')
  const codeOf = async (tool: string, given: object) => (await agent.call(tool, given)).error.code

  for (const odd of ['summary', 'duplicates', `${id}/history`, `${id}?x=1`, '..', '', '%zz', '\ud800', '\0']) {
    assert.equal(await codeOf('get_record', { type: 'contact', id: odd }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('fetch', { id: `contact:${odd}` }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('list_changes', { type: 'contact', record_id: odd }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('delete_record', { type: 'contact', id: odd }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('save_record', { type: 'contact', id: odd, values: {} }), 'NOT_FOUND', odd)
  }
  for (const odd of ['', id, `\ud800:${id}`, `constructor:${id}`]) {
    assert.equal(await codeOf('fetch', { id: odd }), 'VALIDATION_ERROR', odd)
  }
  const { data } = await agent.use('get_record', { type: 'contact', id: id.toUpperCase() })
  assert.equal(data.id, id)
})
