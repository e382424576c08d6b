import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { secondMs } from '../lib/clock.ts'
import type { Lease } from './lease.ts'
import type { Log, NodeReport } from './log.ts'
import type { Place } from './place.ts'
import type { WaitingReport } from './waiting-report.ts'

const retryMs = 200

interface ClaimOptions {
  place: Place
  log: Log
  lease: Lease
  version: string
  waiting: WaitingReport
}

/**
 * Claims the identity and the address of this node. While another one has either, it waits for two leases: the other one may have ended
 * without saying so. Throws OperatorError if both run: the directory is a copy, or both have been given the same address.
 */
export async function claim({ place, log, lease, version, waiting }: ClaimOptions): Promise<void> {
  const endMs = performance.now() + 2 * place.settings.logLeaseSeconds * secondMs
  const own: NodeReport = { node: place.node, url: place.settings.advertise, position: 0, version }
  for (;;) {
    const nodes = await log.nodes()
    const rival = rivalIn(nodes, own)
    if (rival) {
      if (performance.now() > endMs) throw isTaken(place, rival)
      waiting.say('waiting for the lease of a node with the same identity or address', { ...rival })
      await delay(retryMs)
    } else {
      const former = nodes.find(({ node }) => node === own.node)
      if (await log.enroll(own, former, lease.id)) break
    }
  }
  const rival = rivalIn(await log.nodes(), own)
  if (rival) throw isTaken(place, rival)
}

/** A node that has the identity or the address of this one. Of two with one address, the one that enrolled second goes. */
function rivalIn(nodes: readonly NodeReport[], own: NodeReport): NodeReport | undefined {
  const at = nodes.findIndex(({ node }) => node === own.node)
  const earlier = at === -1 ? nodes : nodes.slice(0, at + 1)
  return earlier.find((each) => contradicts(each, own))
}

function contradicts(a: NodeReport, b: NodeReport): boolean {
  return (a.node === b.node) !== (a.url === b.url)
}

function isTaken({ directory, node, settings }: Place, other: NodeReport): OperatorError {
  return new OperatorError(
    other.node === node
      ? `${directory} is a copy of the data directory of ${other.url}, which runs: start with an empty directory.`
      : `Another server runs with --advertise ${settings.advertise}: give each server its own address.`,
  )
}
