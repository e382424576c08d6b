import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeKey, setKeyActive } from '../../src/access/key.ts'
import { removeSessions } from '../../src/access/session.ts'
import { deactivateUser } from '../../src/access/user.ts'
import { dayMs, minuteMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { administer } from '../support/program.ts'
import { type Server, start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'
import { asEvents, openOnceAdmitted, openStream, openStreamAs } from './events.ts'
import { largeMetadata, pageOf } from './feed.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const live = { query: '?after=now' }

/** Ways in which a key ends, and another caller's change that it must no longer see. */
const endings: Record<string, (server: Server, keyId: string) => Promise<unknown>> = {
  revoked: ({ store }, keyId) => store.writeAccess((tx) => revokeKey(tx, keyId)),
  disabled: ({ store }, keyId) => store.writeAccess((tx) => setKeyActive(tx, keyId, false)),
  'revoked by the command line': ({ directory }, keyId) =>
    administer([process.execPath, main], 'key', 'revoke', keyId, '--data', directory),
  expired: async ({ clock }) => clock.advance(dayMs),
}

for (const [how, end] of Object.entries(endings)) {
  test(`When a key is ${how}, its streams are closed and show no later change`, async (t) => {
    const server = await start(t)
    const { client, key } = await server.company('Acme')
    const expiresAt = new Date(server.clock.now() + minuteMs).toISOString()
    const reader = await key({ scopes: ['read:contacts'], expiresAt })
    const streams = [await openStream(t, server.url, reader, live), await openStream(t, server.url, reader, live)]
    const other = await openStream(t, server.url, client, live)

    await end(server, reader.keyId)
    await make(client, 'contact')
    for (const stream of streams) await stream.ended()

    for (const stream of streams) assert.doesNotMatch(stream.received(), /contact/)
    await other.until('contact.created')
  })
}

test('When nothing changes, a stream is closed, too, once its key is revoked', async (t) => {
  const server = await start(t)
  const { company } = server
  const [acme, other] = [await company('Acme'), await company('Other')]
  const stream = await openStream(t, server.url, acme.client, live)

  await server.store.writeAccess((tx) => revokeKey(tx, acme.client.keyId))
  await stream.ended()

  await openStream(t, server.url, other.client)
})

test('When a user is deactivated, or a session ends, its streams are closed', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const colleague = await newColleague(server, 'member')
  const open = ({ cookie }: typeof owner) =>
    openStreamAs(t, server.url, { Cookie: cookie!, 'Kontor-Environment': 'test' }, '?after=now')
  const [first, second] = [await open(owner), await open(colleague)]

  await server.store.writeAccess((tx) => deactivateUser(tx, colleague.id))
  await second.ended()
  await server.store.writeAccess((tx) => removeSessions(tx, userOf(server)))
  await first.ended()
})

function userOf({ store }: Server): string {
  return store.access.value<string>("SELECT id FROM user WHERE role = 'owner'")!
}

test('A stream whose key loses its last read scope is closed', async (t) => {
  const { url, company } = await start(t)
  const { client, key } = await company('Acme')
  const reader = await key({ scopes: ['read:deals', 'write:deals'] })
  const stream = await openStream(t, url, reader, live)

  await client.patch(`/api-v1-keys/${reader.keyId}`, { scopes: ['write:deals'] })

  await stream.ended()
})

test('A stream is closed after its lifetime', async (t) => {
  const { url, company } = await start(t, { times: { checkMs: 20, lifetimeMs: 100 } })
  const { client } = await company('Acme')

  await (await openStream(t, url, client)).ended()

  await openStream(t, url, client)
})

for (const [when, query] of [
  ['while it sends new changes', '?after=now'],
  ['while it sends old changes', '?after=start&limit=5'],
] as const) {
  test(`A client that leaves 1 MiB of a stream unread ${when} is disconnected`, async (t) => {
    const server = await start(t, { times: { checkMs: 50 } })
    const { client } = await server.company('Acme')
    const fill = async () => {
      // More than the kernel keeps for a client.
      for (let count = 0; count < 200; count++) await make(client, 'organization', { metadata: largeMetadata })
    }
    if (query !== live.query) await fill()
    const stream = await openStream(t, server.url, client, { query })
    stream.pause()
    for (let count = 0; count < 4; count++) await openStream(t, server.url, client, live)
    if (query === live.query) await fill()

    await openOnceAdmitted(t, server.url, client)
  })
}

test('A server that stops closes its streams at once, and opens no more', async (t) => {
  const server = await start(t, { limits: { drainDelayMs: 500, drainMsMax: 600_000 } })
  const client = await server.client()
  const stream = await openStream(t, server.url, client, live)

  const drained = server.drain()
  await stream.ended()
  const refused = await client.get('/api-v1-changes', asEvents)
  const page = await pageOf(client, '?after=now&wait=30')
  await drained

  assertError(refused, 503, 'SERVICE_UNAVAILABLE')
  assert.deepEqual(page.data, [])
})
