import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../support/start.ts'

const contacts = '/api-v1-contacts'
const organizations = '/api-v1-organizations'

test('x', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const add = async (path: string, body: object) => {
    const r = await client.post(path, body)
    console.log(r.status, r.headers.get('kontor-duplicate-of'), r.status > 201 ? r.body : '')
    return r.body.data.id
  }
  const org = await add(organizations, { name: 'Müller', domain: 'mueller.example' })
  const org2 = await add(organizations, { name: 'MULLER', domain: 'Mueller.example', city: 'X', metadata: { a: 1 } })
  const a = await add(contacts, { first_name: 'Ada', emails: [{ email: 'ada@x.example' }], organization_id: org, is_primary: true })
  const b = await add(contacts, { first_name: 'ada', last_name: 'W', is_primary: true, emails: [{ email: 'ADA@x.example' }, { email: 'b@x.example' }], phones: [{ phone_number: '+49 89 123' }], organization_id: org2 })
  const deal = await add('/api-v1-deals', { title: 'D', contact_id: b, organization_id: org2 })
  const act = await add('/api-v1-activities', { type: 'note', subject: 'D', contact_id: b, organization_id: org2 })
  const task = await add('/api-v1-tasks', { title: 'D', contact_id: b })
  console.log(JSON.stringify((await client.post(`${contacts}/${a}/merge`, { with: [b], dry_run: true })).body))
  const before = (await client.get('/api-v1-activities/' + act)).body
  const r = await client.post(`${contacts}/${a}/merge`, { with: [b] })
  console.log(r.status, JSON.stringify(r.body))
  const r2 = await client.post(`${organizations}/${org}/merge`, { with: [org2] })
  console.log(r2.status, JSON.stringify(r2.body))
  const g = await client.get(`${contacts}/${b}`)
  console.log(g.status, g.headers.get('link'))
  console.log(JSON.stringify((await client.get('/api-v1-activities/' + act)).body))
  for (const x of [r2, r]) {
    const u = await client.post('/api-v1-undo', { request_id: x.headers.get('x-request-id') })
    console.log(u.status, JSON.stringify(u.body))
  }
  assert.deepEqual((await client.get('/api-v1-activities/' + act)).body, before)
  const ch = await client.get('/api-v1-changes?payload=ids&request_id=' + r.headers.get('x-request-id'))
  console.log(ch.body.data.map((c: any) => [c.type, c.cause, c.changed].join(' ')))
  console.log(deal, task)
})
