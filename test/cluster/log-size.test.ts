import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { ApiResponse, Client } from '../support/client.ts'
import { newCompany } from '../support/company.ts'
import { until } from '../support/wait.ts'
import { at, caughtUp } from './cluster.ts'
import { type FakeEtcd, startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

const path = '/api-v1-organizations'
const KiB = 2 ** 10
const sizes = { bytesMax: 320 * KiB, keptBytes: 240 * KiB, heldBytesMax: 3_200 * KiB }
/** Nothing more is kept for a server that copies the database. */
const unheld = { ...sizes, heldBytesMax: sizes.bytesMax }
/** One write of `write`, with the pages that it changes besides. */
const entryBytesMax = 100 * KiB

const sizesIn = ({ keys }: FakeEtcd, kind: 'parts' | 'marks') =>
  [...keys].flatMap(([key, { value }]) => (key.includes(`/${kind}/`) ? value.length : []))

/** The size of the log's entries in etcd. */
const bytesIn = (etcd: FakeEtcd) => sizesIn(etcd, 'parts').reduce((sum, bytes) => sum + bytes, 0)

/** Writes a record that cannot be compressed. */
async function write(client: Client): Promise<ApiResponse> {
  const text = randomBytes(22 * KiB).toString('base64')
  const written = await client.post(path, { name: 'Filler', metadata: { text } })
  assert.equal(written.status, 201)
  return written
}

test('The log stays below its largest size, also for a leader that found it full', async (t) => {
  const own = inReverse(t)
  const etcd = await startFakeEtcd(own)
  const first = await startOwnNode(own, etcd.url, { sizes: unheld })
  const second = await startOwnNode(own, etcd.url, { sizes: unheld })
  const { client } = await newCompany(first.store, first.url, 'Acme')
  const largest: number[] = []

  let last: ApiResponse | undefined
  for (const node of [first, second]) {
    await until('the server leads', () => node.member.isLeader)
    // More than the log keeps, but less than it has after that: the next leader finds entries of this one.
    largest.push(0)
    for (let n = 0; n < 20; n++) {
      last = await write(at(node, client))
      largest.push(Math.max(largest.pop()!, bytesIn(etcd)))
      assert.equal(node.member.measures.bytes, bytesIn(etcd))
    }
    if (node === first) await first.stop()
  }

  for (const bytes of largest) assert.ok(bytes <= sizes.bytesMax + entryBytesMax, `the log had ${bytes} bytes`)
  assert.ok(sizesIn(etcd, 'marks').length <= sizesIn(etcd, 'parts').length)
  const third = await startOwnNode(own, etcd.url, { sizes: unheld })
  const read = await (await caughtUp(third, client, last!)).get(`${path}?limit=1`)
  assert.equal(read.body.pagination.total, 40)
})

test('A server that has nothing new to report writes no report, because etcd keeps each until the log is trimmed', async (t) => {
  const own = inReverse(t)
  const etcd = await startFakeEtcd(own)
  const node = await startOwnNode(own, etcd.url)
  const { client } = await newCompany(node.store, node.url, 'Acme')
  await write(client)
  const reported = () => [...etcd.keys].find(([key]) => key.includes('/nodes/'))?.[1].value.toString()
  const reports: string[] = []
  let renewals = 0
  etcd.fault = (path, _, body) => {
    const text = JSON.stringify(body)
    if (text.includes('request_put') && text.includes(nodesKey)) reports.push(text)
    if (path === '/v3/lease/keepalive') renewals++
    return undefined
  }

  await until('the server has reported its position', () => reported()?.includes(`"position":${node.member.position}`))
  renewals = 0
  await until('time passes', () => renewals > 5)

  assert.equal(new Set(reports).size, reports.length)
})

/** How the keys of reports begin, in base64. */
const nodesKey = Buffer.from('kontor/nodes').toString('base64')

test('What is kept for a server that copies the database is removed once it has joined, although nothing more is written', async (t) => {
  const own = inReverse(t)
  const etcd = await startFakeEtcd(own)
  const leader = await startOwnNode(own, etcd.url, { sizes })
  const { client } = await newCompany(leader.store, leader.url, 'Acme')

  const follower = await startOwnNode(own, etcd.url, { sizes })
  let last: ApiResponse | undefined
  let largest = 0
  for (let n = 0; n < 18; n++) {
    last = await write(client)
    largest = Math.max(largest, bytesIn(etcd))
  }
  await until('the log is trimmed', () => bytesIn(etcd), { is: (seen) => seen <= sizes.bytesMax, limitMs: 8_000 })

  const read = await (await caughtUp(follower, client, last!)).get(`${path}?limit=1`)
  assert.equal(read.body.pagination.total, 18)
  assert.ok(largest <= sizes.heldBytesMax)
})
