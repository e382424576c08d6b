import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { claim } from '../../src/cluster/claim.ts'
import type { Log } from '../../src/cluster/log.ts'
import { openLogOf } from '../../src/cluster/options.ts'
import type { Place } from '../../src/cluster/place.ts'
import { WaitingReport } from '../../src/cluster/waiting-report.ts'
import { startFakeEtcd } from './fake-etcd.ts'

const logLeaseSeconds = 0.1

/** Claims an identity and an address, as a server does before it joins. */
async function claimAs(log: Log, node: string, advertise: string): Promise<void> {
  const place = { directory: `/data/${node}`, node, settings: { advertise, logLeaseSeconds } } as Place
  const lease = { id: await log.grant(60) } as Parameters<typeof claim>[0]['lease']
  await claim({ place, log, lease, version: '1', waiting: new WaitingReport() })
}

/** Opens the log at this address, twice: in the second one, something happens between the first look at its nodes and what follows from it. */
function openTwice(
  t: TestContext,
  url: string,
): { log: Log; late: Log; meanwhile: (run: () => Promise<void>) => void } {
  const [log, late] = [0, 1].map(() => openLogOf({ log: url, advertise: '', logLeaseSeconds })) as [Log, Log]
  t.after(() => {
    for (const each of [log, late]) each.close()
  })
  let run = async () => {}
  late.nodes = async () => {
    const found = await log.nodes()
    const first = run
    run = async () => {}
    await first()
    return found
  }
  return {
    log,
    late,
    meanwhile(next) {
      run = next
    },
  }
}

for (const [early, second] of [
  ['a', 'b'],
  ['b', 'a'],
] as const) {
  test(`Of two servers with one address that see nobody else, the one that claims it first runs: ${early} before ${second}`, async (t) => {
    const { url } = await startFakeEtcd(t)
    const { log, late, meanwhile } = openTwice(t, url)
    meanwhile(() => claimAs(log, early, 'http://kontor.example'))

    await assert.rejects(claimAs(late, second, 'http://kontor.example'), /Another server runs with --advertise/)
  })
}

test('Of two servers with one identity that see nobody else, the one that claims it first runs, and stays as it is in the log', async (t) => {
  const { url } = await startFakeEtcd(t)
  const { log, late, meanwhile } = openTwice(t, url)
  meanwhile(() => claimAs(log, 'same', 'http://early.example'))

  await assert.rejects(claimAs(late, 'same', 'http://late.example'), /is a copy of the data directory/)

  const nodes = await log.nodes()
  assert.deepEqual(
    nodes.map((each) => each.url),
    ['http://early.example'],
  )
})

test('A server that starts again before its lease has ended claims its identity and address again', async (t) => {
  const { url } = await startFakeEtcd(t)
  const { log } = openTwice(t, url)
  await claimAs(log, 'a', 'http://kontor.example')

  await claimAs(log, 'a', 'http://kontor.example')

  assert.equal((await log.nodes()).length, 1)
})
