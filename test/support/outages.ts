import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { clientFor } from './client.ts'
import { faultyDisk } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'
import { bundle, firstClient, launch, type Run, run } from './program.ts'
import { randomOf } from './random.ts'

export const outages = ['kill', 'power cut', 'power cut with torn writes'] as const

interface Plan {
  /** The outage that ends each round. */
  rounds: readonly (typeof outages)[number][]
  writesPerRound: number
  seed: number
}

const writers = 16

/** In each round, ends the server by force during writes, starts it again and checks that everything acknowledged is there. */
export async function surviveOutages(
  t: Pick<TestContext, 'after'>,
  directory: string,
  { rounds, writesPerRound, seed }: Plan,
): Promise<Ledger> {
  const data = join(directory, 'data')
  const disk = faultyDisk(directory, data)
  const key = await firstClient(bundle, data, '')
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off']
  const random = randomOf(seed)
  const ledger = new Ledger()
  disk.settle()
  for (const outage of rounds) {
    const { first, stop } = await launch(t, bundle, serve, { env: disk.env })
    const client = clientFor(first.url!, { id: key.keyId, key: key.key })
    await ledger.verify(client)
    const enough = ledger.acknowledged + writesPerRound + random.below(50)
    const writing = Array.from({ length: writers }, (_, writer) =>
      ledger.write(client, randomOf(seed + enough + writer)),
    )
    const failed = Promise.all([...writing, ledger.follow(client)])
    while (ledger.acknowledged < enough) await Promise.race([failed, new Promise(setImmediate)])
    await stop('SIGKILL')
    await failed
    if (outage === 'kill') disk.settle()
    else disk.cutPower(outage === 'power cut' ? undefined : random)
    assertSound(data)
  }
  const { first, stop } = await launch(t, bundle, serve, { env: disk.env })
  await ledger.verify(clientFor(first.url!, { id: key.keyId, key: key.key }), { all: true })
  await stop()
  assertSound(data)
  assert.deepEqual(await run(bundle, ['check', '--data', data]), sound(data))
  return ledger
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
