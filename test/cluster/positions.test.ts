import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { openStream } from '../changes/events.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { newCompany } from '../support/company.ts'
import { until } from '../support/wait.ts'
import { at, untilThere } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, nextEntry, type OwnNode, openTurnsBeforeEntries, startOwnNode, type Threads } from './own-node.ts'

const path = '/api-v1-organizations'
/** Enough records for lists with filters to run on a thread. */
const many = 2_000

interface Place {
  leader: OwnNode
  follower: OwnNode
  /** At the leader. */
  client: Client
  there: Client
  id: string
  /** Writes the next version of the record at the leader. Returns its position. */
  write(): Promise<number>
  /** The newest version that the log has at a position. */
  versionAt(position: number): number
  /** How many requests with the header, and how many reads of other threads, the follower has begun. */
  begun: { requests: number; reads: number }
}

/** A request that is held until the next entry has been applied, and continues in the same turn. */
const hold = { 'X-Test': 'hold' }
/** A request that is only counted. */
const count = { 'X-Test': 'count' }

/**
 * A leader, and a follower that applies each entry in the middle of a turn. `reads`: reads of other threads of the follower are held, before
 * they begin, until the next entry has been applied.
 */
async function startPair(test: TestContext, { reads = false } = {}): Promise<Place> {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const begun = { requests: 0, reads: 0 }
  let member: OwnNode['member'] | undefined
  const follower = await startOwnNode(t, etcd.url, {
    prepare: (node) => {
      member = node.member
      openTurnsBeforeEntries(node)
    },
    firstLayers: [
      async ({ req }, next) => {
        const { 'x-test': asked } = req.headers
        if (asked !== undefined) begun.requests++
        if (asked === 'hold') await nextEntry(member!)
        return next()
      },
    ],
    ...(reads && {
      wrap: (threads: Threads): Threads => {
        const late = async () => {
          begun.reads++
          await nextEntry(member!)
        }
        return {
          run: async (...asked) => late().then(() => threads.run(...asked)),
          open: async (...asked) => late().then(() => threads.open(...asked)),
        }
      },
    }),
  })
  const { client } = await newCompany(leader.store, leader.url, 'Acme')
  const { body } = await client.post(path, { name: 'Version 0', website: 'https://version-0.example' })
  const positions = [0]
  const there = at(follower, client)
  const write = async () => {
    const name = `Version ${positions.length}`
    const { headers } = await client.patch(`${path}/${body.data.id}`, { name })
    positions.push(Number(headers.get('kontor-position')))
    return positions.at(-1)!
  }
  await untilThere(there, String(await write()))
  const versionAt = (position: number) => positions.findLastIndex((each) => each <= position)
  return { leader, follower, client, there, id: body.data.id, write, versionAt, begun }
}

/** Fails unless the response shows the record exactly as it is at the response's position. */
function assertExact({ versionAt }: Place, what: string, { status, headers, body }: ApiResponse): number {
  assert.equal(status, 200, what)
  const position = Number(headers.get('kontor-position'))
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  assert.deepEqual([what, versionIn(text)], [what, versionAt(position)])
  return position
}

/** The newest version of the record in a text. */
function versionIn(text: string): number {
  return Math.max(...[...text.matchAll(/Version (\d+)/g)].map(([, version]) => Number(version)))
}

const file = (type: string) => ({ Accept: type })

test('What a follower shows is exactly what its position says, when an entry is applied while it reads', async (t) => {
  const place = await startPair(t)
  const { there, id, begun, write } = place
  const reads = [
    ...[`${path}/${id}`, `${path}?limit=1`, `${path}?limit=1`, `${path}/${id}/history`, '/api-v1-changes?after=start'],
    '/api-v1-search?q=version',
  ]

  const asked = reads.map((each) => there.get(each, hold))
  await until('the requests are held', () => begun.requests, { is: (seen) => seen === reads.length })
  await write()
  for (const [at, response] of (await Promise.all(asked)).entries()) assertExact(place, reads[at]!, response)
})

test('A request that waits for a position reads what that position shows, when the entry is applied while others read', async (t) => {
  const place = await startPair(t)
  const { there, follower, id, begun, write } = place
  const reads = [`${path}/${id}`, `${path}?limit=1`, `${path}?limit=1`, `${path}/${id}/history`]
  const next = String(follower.member.position + 1)

  const asked = reads.map((each) => there.get(each, { ...count, 'Kontor-Min-Position': next }))
  await until('the requests wait', () => begun.requests, { is: (seen) => seen === reads.length })
  await write()
  for (const [at, response] of (await Promise.all(asked)).entries()) {
    assert.ok(assertExact(place, reads[at]!, response) >= Number(next))
  }
})

test('A stream of a follower begins with the first change after its position', async (t) => {
  const place = await startPair(t)
  const { there, follower, begun, write, versionAt } = place

  const opening = openStream(t, follower.url, there, { query: '?after=now', headers: hold })
  await until('the request is held', () => begun.requests, { is: (seen) => seen === 1 })
  await write()
  const stream = await opening
  await write()
  const first = await stream.next()

  const position = Number(stream.headers['kontor-position'])
  assert.equal(versionIn(JSON.stringify(first)), versionAt(position) + 1)
})

test('What a thread of a follower reads has the position of what it read', async (t) => {
  const place = await startPair(t, { reads: true })
  const { there, leader, client, begun, write } = place
  const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const workspaceId = leader.store.access.value<number>(ofKey, client.keyId)!
  await leader.store.write(workspaceId, (tx) => {
    for (let n = 0; n < many; n++) insert(organization, tx, readCreate(organization, tx, { name: `Filler ${n}` }), {})
  })
  const reads: [string, Record<string, string>][] = [
    [`${path}?status=lead&name[like]=Version`, {}],
    ['/api-v1-search?q=version', {}],
    [path, file('text/csv')],
    [path, file('application/x-ndjson')],
    ['/api-v1-snapshot', {}],
  ]
  await untilThere(there, String(await write()))

  for (const [at, [each, headers]] of reads.entries()) {
    const asked = there.request('GET', each, { headers })
    await until(`a thread is asked for ${each}`, () => begun.reads, { is: (seen) => seen === at + 1 })
    await write()
    assertExact(place, each, await asked)
  }
})

test('A long read at a leader does not claim the position of what is written while it is read', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const [isOpen, hasWritten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const leader = await startOwnNode(t, etcd.url, {
    wrap: (threads) => ({
      run: (...asked) => threads.run(...asked),
      async open(...asked) {
        const snapshot = await threads.open(...asked)
        isOpen.resolve()
        await hasWritten.promise
        return snapshot
      },
    }),
  })
  const { client } = await newCompany(leader.store, leader.url, 'Acme')
  const before = await client.post(path, { name: 'Before' })

  const exporting = client.request('GET', path, { headers: file('text/csv') })
  await isOpen.promise
  const later = await client.post(path, { name: 'Later' })
  hasWritten.resolve()
  const { headers, body } = await exporting

  const [shown, from, to] = [headers, before.headers, later.headers].map((each) => Number(each.get('kontor-position')))
  assert.doesNotMatch(body, /Later/)
  assert.ok(from! <= shown! && shown! < to!, `${from} <= ${shown} < ${to}`)
})
