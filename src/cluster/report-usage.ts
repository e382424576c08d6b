import { type Pending, UnknownWrite, writeBatch } from '../access/usage.ts'
import { log } from '../lib/log.ts'
import { urlBelow } from '../lib/web-url.ts'
import type { Store } from '../store/store.ts'
import type { Member } from './member.ts'

const msMax = 2_000
/** The same counts would be refused again. */
const refusedForGood = [400, 413]

/** Names a node and its counts, so that no leader counts them twice if an answer was lost. */
export const batchHeader = 'Kontor-Batch'

interface Reporter {
  member: Member
  store: Store
  secret: string
  /** The id of this node. */
  node: string
}

/** Stores the usage of keys: a leader in its database, a follower at the leader. Throws UnknownWrite. */
export async function reportUsage(
  { member, store, secret, node }: Reporter,
  counts: readonly Pending[],
  id: string,
): Promise<void> {
  try {
    if (member.isLeader) return await writeBatch(store, { node, id, counts })
    const response = await fetch(urlBelow(member.leaderUrl, 'cluster/usage'), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        [batchHeader]: `${node} ${id}`,
      },
      body: JSON.stringify(counts),
      signal: AbortSignal.timeout(msMax),
    })
    await response.body?.cancel()
    if (refusedForGood.includes(response.status)) {
      return log('the leader refused counts of usage: they are dropped', { status: response.status }, 'error')
    }
    if (!response.ok) throw new Error(`The leader answered ${response.status}`)
  } catch (cause) {
    throw new UnknownWrite((cause as Error).message, { cause })
  }
}
