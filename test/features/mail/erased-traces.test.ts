import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { administerHere } from '../../support/command.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import type { StartOptions } from '../../support/start.ts'
import { Receiver } from '../webhooks/receiver.ts'
import { addWebhook, deliveriesOf, untilDelivered } from '../webhooks/webhooks.ts'
import { deliverMail, newAddress, rawMail, startWithMail } from './mails.ts'

/** A company with a contact, by default Grace Hopper, and mails from her to others. */
async function open(t: TestContext, options?: StartOptions, names = { first_name: 'Grace', last_name: 'Hopper' }) {
  const server = await startWithMail(t, options)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const emails = [{ email: 'grace@navy.example' }]
  const person = await make(client, 'contact', { ...names, emails })
  const deliver = async (text?: string): Promise<string> => {
    const headers = { To: `${address}, alan@bletchley.example`, Subject: 'An offer for Hopper' }
    return (await deliverMail(client, address, rawMail(headers, text))).body.data.id
  }
  const erase = async () => {
    assert.equal((await client.delete(`/api-v1-contacts/${person.id}`)).status, 200)
    assert.equal((await client.delete(`/api-v1-trash/${person.id}`)).status, 200)
  }
  return { server, client, person, deliver, erase }
}

test('A message in the trash from which a person is erased stays in the trash for those who follow the log, and the database is sound', async (t) => {
  const { server, client, deliver, erase } = await open(t)
  const id = await deliver()
  await client.delete(`/api-v1-messages/${id}`)

  await erase()

  const { data } = (await client.get(`/api-v1-messages/${id}/history`)).body
  assert.equal(data[0].type, 'message.deleted')
  await server.stop()
  const { sound } = await administerHere('check', '--data', server.directory)
  assert.equal(sound, true)
})

test('The trash names no person who is erased from a message in it', async (t) => {
  const { client, deliver, erase } = await open(t)
  await client.delete(`/api-v1-messages/${await deliver()}`)

  await erase()

  const { data } = (await client.get('/api-v1-trash')).body
  assert.deepEqual(
    data.map(({ title }: JsonRecord) => title),
    ['An offer for [erased]'],
  )
})

test('A name that a mail has over two lines, or in a quotation, is erased as well', async (t) => {
  const { client, deliver, erase } = await open(t, {}, { first_name: 'Mary Ann', last_name: 'van der Berg' })
  const texts = [
    'Ask Mary\r\nAnn or Mr. van der\r\nBerg.',
    '> Dear Mary\r\n> Ann van\r\n>  der Berg!',
    'Van  der Berg, Mary Ann',
  ]
  const ids = await Promise.all(texts.map((text) => deliver(`${text}\r\n`)))

  await erase()

  const left = await Promise.all(ids.map(async (id) => (await client.get(`/api-v1-messages/${id}`)).body.data.text))
  assert.deepEqual(
    left.map((text) => text.trim()),
    ['Ask [erased] or Mr. [erased].', '> Dear [erased]!', '[erased]'],
  )
})

test('What a receiver has responded to a message is erased with a person in it, also while the message is sent', async (t) => {
  const { client, deliver, erase } = await open(t, { webhooks: 'here' })
  const receiver = await Receiver.open(t)
  const late = Promise.withResolvers<void>()
  const echo: Receiver['respond'] = (response, _, { data }) => response.writeHead(200).end(`Got: ${data.subject}`)
  receiver.respond = (...given) => (given[1] === 2 ? void late.promise.then(() => echo(...given)) : echo(...given))
  const webhook = await addWebhook(client, receiver.url, { events: ['message.created'] })
  await deliver()
  await untilDelivered(client, webhook, 1)
  await deliver()
  await receiver.until(2)

  await erase()
  late.resolve()

  await untilDelivered(client, webhook, 2)
  const attempts = (await deliveriesOf(client, webhook)).flatMap((each) => each.attempts as JsonRecord[])
  assert.deepEqual(
    attempts.map(({ status, response }) => [status, response]),
    [
      [200, null],
      [200, null],
    ],
  )
})

test('What a receiver has responded to a deal is erased with a person whose role it had', async (t) => {
  const { client, person, erase } = await open(t, { webhooks: 'here' })
  const receiver = await Receiver.open(t)
  receiver.respond = (response, _, { data }) => response.writeHead(200).end(JSON.stringify(data.contacts))
  const [now, before] = [await make(client, 'deal'), await make(client, 'deal')]
  const webhook = await addWebhook(client, receiver.url, { events: ['deal.*'] })
  const onDeal = ({ id }: JsonRecord) => `/api-v1-deals/${id}/contacts/${person.id}`
  for (const deal of [now, before]) await client.put(onDeal(deal), { role: 'Signs, owns the house' })
  await client.delete(onDeal(before))
  const sent = await untilDelivered(client, webhook, 3)
  assert.match(JSON.stringify(sent), /Signs/)

  await erase()

  assert.doesNotMatch(JSON.stringify(await deliveriesOf(client, webhook)), /Signs/)
})

test('What a receiver responds to a message that was deleted while it was sent is erased with a person in it', async (t) => {
  const { client, deliver, erase } = await open(t, { webhooks: 'here' })
  const receiver = await Receiver.open(t)
  const late = Promise.withResolvers<void>()
  receiver.respond = (response, _, { data }) =>
    void late.promise.then(() => response.writeHead(200).end(`Got: ${data.subject}`))
  const webhook = await addWebhook(client, receiver.url, { events: ['message.created'] })
  const id = await deliver()
  await receiver.until(1)

  await client.delete(`/api-v1-messages/${id}`)
  await erase()
  late.resolve()

  await untilDelivered(client, webhook, 1)
  const [delivery] = await deliveriesOf(client, webhook)
  assert.deepEqual(
    delivery!.attempts.map(({ status, response }: JsonRecord) => [status, response]),
    [[200, null]],
  )
})
