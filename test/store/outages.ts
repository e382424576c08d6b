import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { Receiver, verify } from '../features/webhooks/receiver.ts'
import { addWebhook } from '../features/webhooks/webhooks.ts'
import { readChanges } from '../support/changes.ts'
import { type Client, clientFor } from '../support/client.ts'
import { declareUnique } from '../support/fields.ts'
import type { JsonRecord } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch, type Run, run } from '../support/program.ts'
import { randomOf } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { faultyDisk } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'

export const outages = ['kill', 'power cut', 'power cut with torn writes'] as const

interface Plan {
  /** The outage that ends each round. */
  rounds: readonly (typeof outages)[number][]
  writesPerRound: number
  /** Routes that must have been acknowledged in all: the last round goes on until they are. */
  routes?: readonly string[]
  seed: number
}

const writers = 16
/** The resources whose changes are not for webhooks (decision H1). */
const notDelivered = ['api_key', 'user', 'webhook']

/**
 * In each round, ends the server by force during writes, starts it again and checks that everything acknowledged is there. In the end, a
 * webhook must have delivered every change, and none that was lost.
 */
export async function surviveOutages(
  t: Pick<TestContext, 'after'>,
  directory: string,
  { rounds, writesPerRound, routes = [], seed }: Plan,
): Promise<Ledger> {
  const data = join(directory, 'data')
  const disk = faultyDisk(directory, data)
  const key = await firstClient(data, '')
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off', '--webhook-allow', '127.0.0.1']
  const receiver = await Receiver.open(t)
  const random = randomOf(seed)
  const ledger = new Ledger()
  const webhook = await whileServing(t, serve, disk.env, key, async (client) => {
    await declareUnique(client)
    return addWebhook(client, receiver.url)
  })
  disk.settle()
  let verified = 0
  // In each round: signatures are valid for five minutes.
  const verifySignatures = () => {
    for (const each of receiver.received.slice(verified)) verify(webhook.secret, each)
    verified = receiver.received.length
  }
  for (const [round, outage] of rounds.entries()) {
    const { first, stop } = await launch(t, bundle, serve, { env: disk.env })
    const client = clientFor(first.url!, { id: key.keyId, key: key.key })
    await ledger.verify(client)
    const enough = ledger.acknowledged + writesPerRound + random.below(50)
    const writing = Array.from({ length: writers }, (_, writer) =>
      ledger.write(client, randomOf(seed + enough + writer)),
    )
    const failed = Promise.all([...writing, ledger.follow(client)])
    const awaited = round === rounds.length - 1 ? routes : []
    const seen = () => ({ writes: ledger.acknowledged, missing: awaited.filter((route) => !ledger.routes.has(route)) })
    await until(`${enough} writes are acknowledged, of every route in all`, seen, {
      is: ({ writes, missing }) => writes >= enough && missing.length === 0,
      during: failed,
    })
    await stop('SIGKILL')
    await failed
    if (outage === 'kill') disk.settle()
    else disk.cutPower(outage === 'power cut' ? undefined : random)
    assertSound(data)
    verifySignatures()
  }
  await whileServing(t, serve, disk.env, key, async (client) => {
    await ledger.verify(client, { all: true })
    await assertDelivered(client, webhook, receiver)
    verifySignatures()
  })
  assertSound(data)
  assert.deepEqual(await run(bundle, ['check', '--data', data]), sound(data))
  return ledger
}

async function whileServing<T>(
  t: Pick<TestContext, 'after'>,
  serve: string[],
  env: NodeJS.ProcessEnv,
  { keyId, key }: Client,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const { first, stop } = await launch(t, bundle, serve, { env })
  const result = await run(clientFor(first.url!, { id: keyId, key }))
  await stop()
  return result
}

async function assertDelivered(client: Client, webhook: JsonRecord, { received }: Receiver): Promise<void> {
  const log = await readChanges(client, 'start')
  const created = log.find(({ record_id }) => record_id === webhook.id)!.seq
  const due = log.filter(({ seq, resource }) => seq > created && !notDelivered.includes(resource))
  const missing = new Set(due.map(({ seq }) => seq))
  for (let n = 0; missing.size > 0; n++) {
    await until(`delivery ${n + 1} has arrived`, () => received.length, { is: (count) => count > n })
    missing.delete(received[n]!.data.seq)
  }
  const delivered = [...received]
  // An import whose submission had no response may still have been writing when the log was read first.
  const ids = new Map((await readChanges(client, 'start')).map(({ seq, id }) => [seq, id]))
  for (const each of delivered) {
    assert.equal(each.headers['webhook-id'], `msg_${webhook.id}_${each.data.seq}`)
    assert.equal(each.data.id, ids.get(each.data.seq), 'a delivered change is in the log')
  }
}

/** What `kontor check` prints if it finds nothing. */
function sound(data: string): Run {
  return { code: 0, stdout: `${join(data, 'kontor.db')} is sound\n`, stderr: '' }
}

/** Checks a copy: opening the database itself would checkpoint its log, which the server must do. */
function assertSound(data: string): void {
  const copy = `${data}.copy`
  cpSync(data, copy, { recursive: true })
  const db = new Database(join(copy, 'kontor.db'))
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(db.pragma('foreign_key_check'), [])
  db.close()
  rmSync(copy, { recursive: true })
}
