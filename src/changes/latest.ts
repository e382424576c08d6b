import type { Reading } from '../engine/finding/reading.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Reader } from '../store/reader.ts'
import { mayReadChange } from './may-read.ts'
import { seenIn } from './may-see.ts'
import { showChanges } from './show.ts'
import { type ChangeHead, latestOf, readAtOnceMax, selectHeads, selectStored } from './stored-change.ts'

/** How many changes are looked through. Of a larger import, only the last ones are counted. */
const scannedMax = 1_000

interface LatestQuestion {
  max: number
  scopes: ReadonlySet<string>
}

/** The newest of changes that belong together, as JSON text, and how many they are. */
interface LatestChange {
  text: string
  count: number
}

/**
 * Reads the latest changes of some resources, newest first, as far as these scopes allow. Changes of one type by one request are one entry. The
 * server's own changes are those of a setup or an upgrade, and are left out.
 */
export function latestReading(resources: readonly Resource[]): Reading<LatestQuestion, LatestChange[]> {
  return {
    name: 'latest changes',
    isQuick: (reader) => latestOf(reader) <= readAtOnceMax,
    run(reader, { max, scopes }) {
      const readable = resources.filter((resource) => mayReadChange(resource, {}, scopes))
      const scanned = selectHeads(reader, 'seq', 'ORDER BY seq DESC LIMIT ?', scannedMax)
      const isSeen = seenIn(reader, scanned)
      const shown = scanned.filter(
        (change) => change.actor !== 'system' && find(readable, change.resource) && isSeen(change),
      )
      const groups = [...Map.groupBy(shown, groupOf).values()].slice(0, max)
      const texts = showChanges(
        reader,
        groups.map(([newest]) => load(resources, reader, newest!.seq)),
      )
      return groups.map((group, at) => ({ text: texts[at]!, count: group.length }))
    },
  }
}

function find(resources: readonly Resource[], name: string): Resource | undefined {
  return resources.find((resource) => resource.name === name)
}

function groupOf({ type, actor, requestId }: ChangeHead): string {
  return `${type} ${actor} ${requestId}`
}

function load(resources: readonly Resource[], reader: Reader, seq: number) {
  const [change] = selectStored(reader, 'seq', 'AND seq = ?', seq)
  return { change: change!, resource: find(resources, change!.resource)! }
}
