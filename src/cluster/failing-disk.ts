import { secondMs } from '../lib/clock.ts'
import type { MemberOptions } from './member-options.ts'

/** For how many leases the disk of a leader may refuse writes while another node could lead. */
const leasesMax = 2

/** Ends a leader whose disk has refused writes for two leases, if a node with space on its disk has everything up to `position`: that one leads then. */
export async function leaveIfDiskFails({ joined, store, onFatal }: MemberOptions, position: number): Promise<void> {
  const { place, log } = joined
  const faultMs = store?.()?.disk.faultMs ?? 0
  if (faultMs < leasesMax * place.settings.logLeaseSeconds * secondMs) return
  const others = (await log.nodes()).filter(({ node }) => node !== place.node)
  if (!others.some((other) => other.room && other.position === position)) return
  await log.resign(place.self)
  onFatal('its disk does not accept writes, and another node can lead')
}
