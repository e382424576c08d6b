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
    const other = (await log.nodes()).find((each) => contradicts(each, own))
    if (!other) break
    if (performance.now() > endMs) throw isTaken(place, other)
    waiting.say('waiting for the lease of a node with the same identity or address', { ...other })
    await delay(retryMs)
  }
  await log.report(own, lease.id)
  // Of two that claim the same at once, the second one in this order goes.
  const rival = (await log.nodes()).find((each) => contradicts(each, own))
  if (rival && `${rival.node} ${rival.url}` < `${own.node} ${own.url}`) throw isTaken(place, rival)
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
