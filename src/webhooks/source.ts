import { type Message, pingMessage, pingType, type Reach, type Reading, readMessages } from './body.ts'
import { lookupFailed, type Pending } from './deliveries.ts'
import type { ReadRange } from './range.ts'
import type { Active, Replay } from './state.ts'

/** What a webhook's messages are read from. */
type Source = Omit<Reading, 'types' | 'payload'>
/** Reads the workspace at one moment. */
export type ReadSource = <T>(run: (source: Source) => T) => T

/** The change of a delivery; undefined if it is no longer in the log. */
export function readDelivery(
  source: Source,
  { id, payload }: Active,
  { number, type }: Pick<Pending, 'number' | 'type'>,
): Message | undefined {
  if (type === pingType) return pingMessage(number, id, source.logId)
  const reach = { after: number - 1, until: number, limit: 1 }
  return readMessages({ ...source, types: [type], payload }, reach).messages[0]
}

/** The changes of a range that are delivered again: all, or those whose delivery has failed. */
export function readReplayed(
  source: Source,
  active: Active,
  { onlyFailed }: Replay,
  reach: Reach,
): ReturnType<ReadRange> {
  if (!onlyFailed) return readMessages({ ...source, ...active }, reach)
  const failed = lookupFailed(source.reader, active.id, reach)
  if (!failed) return { messages: [], place: reach.until }
  const message = readDelivery(source, active, failed)
  return { messages: message ? [message] : [], place: failed.number }
}
