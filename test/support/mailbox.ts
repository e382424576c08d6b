import type { TestContext } from 'node:test'
import { listCompanies } from '../../src/access/company.ts'
import type { NewMessage } from '../../src/crm/insert-message.ts'
import { type Client, clientFor } from './client.ts'
import { deliverMessage } from './message.ts'
import { type StartOptions, start } from './start.ts'
import { newColleague, newOwner } from './visitor.ts'

/** A company whose users have mail: an admin and two members, of whom `ada` has sent and received messages. */
export async function openMailbox(t: TestContext, options?: StartOptions) {
  const server = await start(t, options)
  const owner = await newOwner(server)
  const companyId = listCompanies(server.store.access)[0]!.id
  const ada = await newColleague(server, 'member', 'ada@acme.example.org')
  const bob = await newColleague(server, 'member', 'bob@acme.example.org')
  const key = (await owner.post('/api-v1-keys', { name: 'Shared', scopes: ['admin:all'] })).body.data.key
  const shared: Client = clientFor(server.url, { id: '', key })
  const deliver = (values: Partial<NewMessage> = {}) => deliverMessage(server.store, companyId, values)
  const personal = (values: Partial<NewMessage> = {}) =>
    deliver({ audience: 'participants', userIds: [ada.id], ...values })
  return { server, companyId, owner, ada, bob, shared, deliver, personal }
}
