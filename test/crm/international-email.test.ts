import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const url = '/api-v1-contacts'

test('An address with an internationalized domain is stored as it was sent, and compared by the ASCII form of the domain', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const [address, ascii] = ['Ida@Müller-Käse.example', 'ida@xn--mller-kse-12a1x.example']
  await make(client, 'contact', { first_name: 'Ida', emails: [{ email: address }] })

  for (const email of [address, ascii, 'IDA@MÜLLER-KÄSE.EXAMPLE']) {
    const { data } = (await client.get(`${url}?include=emails&email=${encodeURIComponent(email)}`)).body
    assert.deepEqual(
      data.map(({ contact_emails }: { contact_emails: { email: string }[] }) => contact_emails[0]!.email),
      [address],
      email,
    )
    const matched = await client.put(`${url}?match_on=email`, { first_name: 'Ida', emails: [{ email }] })
    assert.equal(matched.headers.get('kontor-outcome'), 'unchanged', email)
    const found = await client.get(`/api-v1-search?q=${encodeURIComponent(email)}`)
    assert.equal(found.body.data.length, 1, email)
  }
  const twice = await client.post(url, { first_name: 'Ida', emails: [{ email: address }, { email: ascii }] })
  assertError(twice, 400, 'VALIDATION_ERROR', undefined, ['emails[1].email'])
  for (const email of [
    'idä@x.example',
    'a@käse',
    'a@１.２.３.４',
    'a@b c.dé',
    'a@é/x.example',
    `a@${'ü'.repeat(60)}.example`,
  ]) {
    const response = await client.post(url, { first_name: 'A', emails: [{ email }] })
    assertError(response, 400, 'VALIDATION_ERROR', 'Email must be a valid email address', ['emails[0].email'])
  }
})
