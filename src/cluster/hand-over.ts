import type { Checkpoints } from './checkpoints.ts'
import { isOfEtcd } from './gateway.ts'
import type { Log } from './log.ts'
import type { Place } from './place.ts'
import type { Shipper } from './shipper.ts'
import type { WalWriter } from './wal-writer.ts'

/** A node, as far as it may lead. */
interface Candidate {
  place: Place
  log: Log
}

interface Leading {
  shipper: Shipper
  checkpoints: Checkpoints
  writer: WalWriter
  /** The number of committed frames in the write-ahead log. */
  countFrames(): number
}

/** Writes everything to the log, and leaves the lead to others. Throws Error if the database may have more than the log. */
export async function handOver({ place, log }: Candidate, leading: Leading): Promise<void> {
  const { shipper, checkpoints, writer, countFrames } = leading
  place.update({ shipping: null }) // so that no command writes after the write lock has been taken
  const frames = await checkpoints.whileShipped(countFrames)
  writer.mark(shipper.head.position, place.file.firstPage())
  if (countFrames() !== frames + 1) throw new Error('Another process has written meanwhile')
  await writer.sync() // with an older position, the next start would show a mix of pages until it has caught up
  place.update({ leading: null, unshipped: false })
  await log.resign(place.self)
}

/** Leaves the lead to others if `run` fails on this machine, for example because its disk is full: they may be able to lead. */
export async function orLeaveLead<T>({ place, log }: Candidate, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isOfEtcd(error)) await log.resign(place.self).catch(() => {}) // the next attempt tries it again
    throw error
  }
}
