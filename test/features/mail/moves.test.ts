import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { listCompanies } from '../../../src/access/company.ts'
import { hashPassword } from '../../../src/access/password.ts'
import { resources } from '../../../src/features/index.ts'
import { clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { make } from '../../support/make.ts'
import { newColleague, newOwner, password, signIn, visit } from '../../support/visitor.ts'
import { deliverMail, mailWithFile, newAddress, rawMail, startWithMail } from './mails.ts'

const run = promisify(execFile)
const kontor = (...args: string[]) => run(process.execPath, ['dist/kontor.cjs', ...args])

test('A company moves with all its messages, which the same users see there as before, and mail goes on', async (t) => {
  const server = await startWithMail(t)
  const owner = await newOwner(server)
  const ada = await newColleague(server, 'member', 'ada@acme.example.org')
  await newColleague(server, 'member', 'bob@acme.example.org')
  const passwordHash = await hashPassword(password) // those of tests are too cheap for a company's file
  await server.store.writeAccess((tx) => tx.run('UPDATE user SET password_hash = ?', passwordHash))
  const key = (await owner.post('/api-v1-keys', { name: 'Mail', scopes: ['admin:all'] })).body.data.key
  const client = clientFor(server.url, { id: '', key })
  const { address } = await newAddress(client)
  const own = await newAddress(client, { kind: 'user', user_id: ada.id, audience: 'participants' })
  const raw = mailWithFile('offer.pdf', 'An offer', { 'Message-ID': '<first@navy.example>' })
  const shared = (await deliverMail(client, address, raw)).body.data
  const secret = rawMail({ Subject: 'Secret' })
  await deliverMail(client, own.address, secret)
  const [{ id: file }] = (await client.get(`/api-v1-files?message_id=${shared.id}`)).body.data
  const { id } = listCompanies(server.store.access)[0]!
  const moved = join(temporaryDirectory(t), 'acme.db')
  await kontor('company', 'export', id, moved, '--data', server.directory)

  const target = await startWithMail(t)
  await kontor('company', 'import', moved, '--data', target.directory)
  await kontor('check', '--data', target.directory)
  const there = clientFor(target.url, { id: '', key })
  const seenBy = async (email: string) => {
    const user = visit(target.url)
    await signIn(user, email)
    const { body } = await user.get('/api-v1-messages?sort=received_at:asc')
    return body.data.map(({ subject }: { subject: string }) => subject).sort()
  }

  assert.deepEqual((await there.get(`/api-v1-messages/${shared.id}`)).body.data, shared)
  const bytesOf = async (path: string) => {
    return (await fetch(`${target.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })).text()
  }
  assert.equal(await bytesOf(`/api-v1-messages/${shared.id}/original`), raw)
  assert.equal(await bytesOf(`/api-v1-files/${file}/content`), 'An offer')
  assert.deepEqual(await seenBy('bob@acme.example.org'), ['Hampers'])
  assert.deepEqual(await seenBy('ada@acme.example.org'), ['Hampers', 'Secret'])
  const again = await deliverMail(there, address, raw)
  assert.deepEqual([again.status, again.body.data.id], [200, shared.id])
  const answer = rawMail({ Subject: 'An answer', 'In-Reply-To': '<first@navy.example>' })
  assert.equal((await deliverMail(there, address, answer)).body.data.thread_id, shared.thread_id)
  await deliverMail(there, own.address, secret)
  assert.deepEqual(await seenBy('ada@acme.example.org'), ['An answer', 'Hampers', 'Secret'])
})

test('A company moves with an erased record of every kind', async (t) => {
  const server = await startWithMail(t)
  const { id: company, client } = await server.company('Acme')
  for (const { name, path, operations } of resources) {
    if (!operations.includes('delete')) continue
    const { id } = await make(client, name)
    await client.delete(`/${path}/${id}`)
    assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200, name)
  }
  const file = join(temporaryDirectory(t), 'acme.db')

  await kontor('company', 'export', company, file, '--data', server.directory)
  const target = await startWithMail(t)
  await kontor('company', 'import', file, '--data', target.directory)
  await kontor('check', '--data', target.directory)
})
