import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { companyAddress, handIn, mailDoors, rawMail, serveMail, spooledIn } from '../features/mail/mail-server.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { administer, bundle } from '../support/program.ts'

test('Mail for a company that moves is refused at each door, and none is accepted and then dropped', async (t) => {
  const [data, elsewhere] = [temporaryDirectory(t), temporaryDirectory(t)]
  const serving = await serveMail(t, data)
  const address = await companyAddress(serving.client)
  const { id } = (await serving.client.get('/api-v1-me')).body.data.company
  const company = (...args: string[]) => administer(bundle, 'company', ...args, '--data', data)
  const answers = async (name: string) => {
    const statuses: number[] = []
    for (const door of mailDoors) statuses.push(await handIn(serving, door, address, rawMail(`${name}-${door}`)))
    return Object.fromEntries(mailDoors.map((door, at) => [door, statuses[at]]))
  }

  await company('export', id, join(elsewhere, 'company'))
  assert.deepEqual(await answers('leaving'), { smtp: 451, api: 503, 'mail-in': 503 })
  await company('move', id, '--to', 'bb')
  assert.deepEqual(await answers('moved'), { smtp: 451, api: 421, 'mail-in': 503 })

  assert.deepEqual(spooledIn(data), [])
})
