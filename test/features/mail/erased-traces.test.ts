import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { administerHere } from '../../support/command.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import type { StartOptions } from '../../support/start.ts'
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
  return { server, client, deliver, erase }
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
