import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasWork } from '../../src/changes/readers/batch-reader.ts'
import { batchReaders } from '../../src/features/index.ts'
import { deliverAs, mailDomain, mailWithFile, rawMail } from '../features/mail/mails.ts'
import type { ApiResponse } from '../support/client.ts'
import { openMailbox } from '../support/mailbox.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import type { Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { differences, look, type Observer } from './sight.ts'

const steps = 20 * rounds
const secret = 'zeppelin'
const words = [secret, 'navy', 'opening']

type Box = Awaited<ReturnType<typeof openMailbox>>

/** What there is, and what everybody sees of it. */
async function fill({ server, owner, ada, bob, shared }: Box) {
  const navy = await make(shared, 'organization', { name: 'Navy', domain: 'navy.example' })
  const emails = (email: string) => ({ emails: [{ email }], organization_id: navy.id })
  const grace = await make(shared, 'contact', { first_name: 'Grace', ...emails('grace@navy.example') })
  const alan = await make(shared, 'contact', { first_name: 'Alan', ...emails('alan@navy.example') })
  const deals = [await make(shared, 'deal', { title: 'One' }), await make(shared, 'deal', { title: 'Two' })]
  await make(shared, 'task', { title: 'Call', deal_id: deals[0]!.id })
  const at = async (visitor: Visitor, body: object) =>
    (await visitor.post('/api-v1-mail-addresses', body)).body.data.address as string
  const own = await at(ada, { kind: 'user', audience: 'participants' })
  const company = await at(owner, { kind: 'company' })
  const opening = rawMail({ 'Message-ID': '<opening@navy.example>', Subject: 'Opening' })
  await deliverAs(server, owner, company, opening)
  await deliverAs(server, bob, company, mailWithFile('open.pdf', 'Open'))
  return { own, company, contacts: [grace, alan], deals, organization: navy }
}

/** Why not everybody sees a message: it is to Ada alone, or claims to be from her. */
type Reason = 'participants' | 'held'

interface World extends Awaited<ReturnType<typeof fill>> {
  box: Box
  reason: Reason
  random: Random
  raws: string[]
  requests: string[]
}

/** A mail that not everybody sees, from and to people whom the others know and do not know. */
function drawMail({ random, raws, reason }: World): string {
  const other = random.pick(['Grace Hopper <grace@navy.example>', 'alan@navy.example', `${secret}@navy.example`])
  const ada = 'ada@acme.example.org'
  const headers = {
    ...(reason === 'held' ? { From: ada, To: other } : { From: other, To: ada }),
    Subject: `${secret} ${raws.length}`,
    ...(random.below(2) === 0 && { References: '<opening@navy.example>' }),
  }
  const raw =
    random.below(2) === 0 ? mailWithFile(`${secret}.pdf`, `${secret} ${raws.length}`, headers) : rawMail(headers)
  raws.push(raw)
  return raw
}

/** Something that happens to messages that only Ada sees. */
async function act(world: World): Promise<ApiResponse> {
  const { box, reason, random, contacts, deals, organization, raws, requests } = world
  const address = reason === 'held' ? world.company : world.own
  const filter = reason === 'held' ? 'status=held' : 'audience=participants'
  const { ada, server } = box
  const hidden = (await ada.get(`/api-v1-messages?${filter}&limit=100`)).body.data as JsonRecord[]
  const attached = (await ada.get(`/api-v1-files?name=${secret}.pdf`)).body.data as JsonRecord[]
  const trash = (await ada.get('/api-v1-trash')).body.data as JsonRecord[]
  const draws = [() => deliverAs(server, box.owner, address, drawMail(world))]
  const add = (times: number, ...draw: typeof draws) => draws.push(...Array.from({ length: times }, () => draw).flat())
  if (raws.length > 0) add(1, () => deliverAs(server, box.bob, address, random.pick(raws)))
  if (hidden.length > 0) {
    const at = `/api-v1-messages/${random.pick(hidden).id}`
    add(2, () => ada.patch(at, { contact_ids: contacts.slice(random.below(3)).map(({ id }) => id) }))
    add(1, () => ada.patch(at, { deal_id: random.pick(deals).id, organization_id: organization.id }))
    add(1, () => ada.patch(at, { metadata: { [secret]: random.below(9) } }))
    add(1, () => ada.delete(at))
  }
  if (attached.length > 0) {
    const at = `/api-v1-files/${random.pick(attached).id}`
    add(1, () => ada.patch(at, { deal_id: random.pick(deals).id, contact_id: random.pick(contacts).id }))
    add(1, () => ada.delete(at))
  }
  if (trash.length > 0) add(2, () => ada.post(`/api-v1-trash/${random.pick(trash).id}/restore`, {}))
  if (requests.length > 0) add(1, () => ada.post('/api-v1-undo', { request_id: random.pick(requests) }))
  const done = await random.pick(draws)()
  if (done.status < 300) requests.push(done.headers.get('x-request-id')!)
  return done
}

for (const reason of ['participants', 'held'] as const) {
  test(`Whatever happens to messages that one may not see (${reason}) changes no response to one`, async (t) => {
    const box = await openMailbox(t, { limits: { mailDomain } })
    const { server, shared, bob, owner } = box
    const world: World = { box, reason, random: randomOf(5), raws: [], requests: [], ...(await fill(box)) }
    const cookie = ({ cookie }: Visitor) => ({ Cookie: cookie!, 'Kontor-Environment': 'live' })
    const observers: Observer[] = [
      { name: 'a shared key', headers: { Authorization: `Bearer ${shared.key}` } },
      { name: 'a colleague', headers: cookie(bob) },
      ...(reason === 'held' ? [] : [{ name: 'an owner', headers: cookie(owner) }]),
    ]
    const sightsOf = async (withFiles: boolean) => {
      const all = []
      for (const each of observers) all.push(await look(server.url, each, { words, withFiles }))
      return all
    }
    await settled(box)
    const before = [await sightsOf(false), await sightsOf(true)]
    const statuses = new Map<number, number>()

    for (let step = 1; step <= steps; step++) {
      server.clock.advance(60_000)
      const { status } = await act(world)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await settled(box)
      const withFiles = step % 10 === 0
      const after = await sightsOf(withFiles)
      for (const [at, { name }] of observers.entries()) {
        assert.deepEqual(differences(before[Number(withFiles)]![at]!, after[at]!), [], `${name}, step ${step}`)
      }
    }
    assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > steps / 2, JSON.stringify([...statuses]))
  })
}

/** Waits until what follows from the log has happened. */
async function settled({ server: { store }, companyId }: Box): Promise<void> {
  const sql = `SELECT id FROM workspace WHERE company_id = ? AND environment = 'live'`
  const reader = store.workspace(store.access.value<number>(sql, companyId)!)
  await until('the readers of the log have dealt with it', () => !batchReaders.some((each) => hasWork(each, reader)))
}
