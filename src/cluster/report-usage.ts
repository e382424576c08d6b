import { type Pending, UnknownWrite, writeCounts } from '../access/usage.ts'
import { urlBelow } from '../lib/web-url.ts'
import type { Store } from '../store/store.ts'
import type { Member } from './member.ts'

const msMax = 2_000

/** Names the counts, so that the leader does not count them twice if its answer was lost. */
export const batchHeader = 'Kontor-Batch'

/** Stores the usage of keys: a leader in its database, a follower at the leader. Throws UnknownWrite. */
export async function reportUsage(
  { member, store, secret }: { member: Member; store: Store; secret: string },
  counts: readonly Pending[],
  id: string,
): Promise<void> {
  if (member.isLeader) return writeCounts(store, counts)
  try {
    const response = await fetch(urlBelow(member.leaderUrl, 'cluster/usage'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', [batchHeader]: id },
      body: JSON.stringify(counts),
      signal: AbortSignal.timeout(msMax),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The leader answered ${response.status}`)
  } catch (cause) {
    throw new UnknownWrite((cause as Error).message, { cause })
  }
}
