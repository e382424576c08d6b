import { lookupFailed, type Pending } from '../stored/deliveries.ts'
import type { Active, Replay } from '../stored/webhook-state.ts'
import type { ReadLogRange } from './log-range.ts'
import {
  listsMessages,
  type Message,
  pingMessage,
  pingType,
  type Reach,
  type Reading,
  readMessages,
} from './messages.ts'

/** What a webhook's messages are read from. */
type LogSource = Omit<Reading, 'types' | 'payload'>
/** Reads the workspace at one moment. */
export type ReadLogSource = <T>(run: (source: LogSource) => T) => T

/** The change of a delivery; undefined if the log no longer has it for the webhook. */
export function readDelivery(
  source: LogSource,
  { id, payload, types }: Active,
  { number, type }: Pick<Pending, 'number' | 'type'>,
): Message | undefined {
  if (type === pingType) return pingMessage(number, id, source.logId)
  const withMessages = listsMessages(types)
  if (listsMessages([type]) && !withMessages) return undefined
  const reach = { after: number - 1, until: number, limit: 1 }
  return readMessages({ ...source, types: [type], payload, withMessages }, reach).messages[0]
}

/** The changes of a range that are delivered again: all, or those whose delivery has failed. */
export function readReplayed(
  source: LogSource,
  active: Active,
  { onlyFailed }: Replay,
  reach: Reach,
): ReturnType<ReadLogRange> {
  if (!onlyFailed) return readMessages({ ...source, ...active }, reach)
  const failed = lookupFailed(source.reader, active.id, reach)
  if (!failed) return { messages: [], readUntil: reach.until }
  const message = readDelivery(source, active, failed)
  return { messages: message ? [message] : [], readUntil: failed.number }
}
