import { readWholeLog } from './database-file.ts'
import { type Part, readPart } from './entry.ts'
import type { Head, Log } from './log.ts'
import type { Place } from './place.ts'
import type { Mark } from './wal-reader.ts'

/**
 * How the database of the node that led last relates to the log, after a crash: `ahead`: it has everything, and may have more
 * from this place of its write-ahead log on; `behind`: the entries that are kept complete it.
 */
type Relation = { ahead: Mark } | 'behind'

const start: Mark = { salts: '', frames: 0 }

/** Compares the database with the log's last complete entry. SQLite must not have opened it. */
export async function compareWithLog(place: Place, log: Log, head: Head): Promise<Relation> {
  const { position, last } = await lastComplete(log, head)
  if (!last || last.epoch < place.state!.leading!) {
    // This node has written nothing to the log since it led. What it has more than the log, if anything, is in its write-ahead log.
    return place.file.position() === position ? { ahead: start } : 'behind'
  }
  const own = readWholeLog(place.path)?.end
  if (!own) return 'behind'
  if (own.salts === last.end.salts) return own.frames >= last.end.frames ? { ahead: last.end } : 'behind'
  return isLater(own, last.end) ? { ahead: start } : 'behind'
}

/** An entry without its last part has not been applied by anybody, and never will be: it is written again. */
async function lastComplete(log: Log, head: Head): Promise<{ position: number; last: Part | undefined }> {
  let { position } = head
  let last = await partAt(log, position)
  while (last && last.part + 1 < last.parts) {
    position -= last.part + 1
    last = await partAt(log, position)
  }
  return { position, last }
}

async function partAt(log: Log, position: number): Promise<Part | undefined> {
  const [found] = (await log.read(position - 1)).parts
  return found?.position === position ? readPart(found.bytes) : undefined
}

/** Whether a write-ahead log is a later one of the same file: SQLite counts them in the first half of the salts, modulo 2³². */
function isLater(one: Mark, other: Mark): boolean {
  const count = ({ salts }: Mark) => Number.parseInt(salts.slice(0, 8), 16)
  return ((count(one) - count(other)) | 0) > 0
}
