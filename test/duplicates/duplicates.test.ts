import { test } from 'node:test'
import { start } from '../support/start.ts'

const contacts = '/api-v1-contacts'
const organizations = '/api-v1-organizations'

test('x', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const add = async (body: object, path = contacts) => (await client.post(path, body)).body.data.id
  const org = await add({ name: 'Müller', domain: 'mueller.example' }, organizations)
  await add({ name: 'MULLER', domain: 'Mueller.example' }, organizations)
  await add({ first_name: 'Ada', last_name: 'Wéber', emails: [{ email: 'ada@x.example' }], organization_id: org })
  await add({ first_name: 'ada', last_name: 'weber', emails: [{ email: 'ADA@x.example' }], phones: [{ phone_number: '+49 89 123' }, { phone_number: '004989123' }], organization_id: org })
  await add({ first_name: 'C', phones: [{ phone_number: '+4989123' }] })
  console.log(JSON.stringify((await client.get(`${contacts}/duplicates?limit=1`)).body))
  console.log(JSON.stringify((await client.get(`${contacts}/duplicates`)).body))
  console.log(JSON.stringify((await client.get(`${organizations}/duplicates`)).body))
})
