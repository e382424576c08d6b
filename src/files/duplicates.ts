import { emailKey } from '../lib/email.ts'
import { withoutCase } from '../lib/text.ts'
import { isExact, memberOf } from './find-references.ts'
import type { FileRecord } from './shape.ts'

export interface Duplicate {
  /** The line, or the number, of a row and of the earlier one. */
  readonly row: number
  readonly of: number
  /** What is the same: `email`, `row` for all cells, or what rows are matched by. */
  readonly by: string
}

/** The maximum number of rows and addresses that are remembered: about 100 MB. */
const rememberedMax = 1_000_000

/** Finds rows that repeat an earlier one: with the same email, the same value of what they are matched by, or in all cells. */
export class DuplicateFinder {
  readonly #rows = new Map<string, number>()
  readonly #matchOn: string | undefined

  constructor(matchOn?: string) {
    this.#matchOn = matchOn
  }

  /** Returns undefined if nothing is repeated, or if there are more rows than are remembered. */
  add(row: number, cells: readonly string[], record: FileRecord): Duplicate | undefined {
    const keys = [...emailsOf(record), ...matchedIn(record, this.#matchOn), `row ${digest(cells)}`]
    const found = keys.map((key) => ({ of: this.#rows.get(key), by: key.split(' ')[0]! }))
    for (const key of keys) if (!this.#rows.has(key) && this.#rows.size < rememberedMax) this.#rows.set(key, row)
    const first = found.find(({ of }) => of !== undefined)
    return first && { row, of: first.of!, by: first.by }
  }
}

function emailsOf({ emails }: FileRecord): string[] {
  if (!Array.isArray(emails)) return []
  return emails.flatMap((item: { email?: unknown } | null) =>
    typeof item?.email === 'string' ? [`email ${digest([emailKey(item.email.trim())])}`] : [],
  )
}

function matchedIn(record: FileRecord, matchOn: string | undefined): string[] {
  if (matchOn === undefined) return []
  const value = memberOf(record, matchOn)
  if (typeof value !== 'string' && typeof value !== 'number') return []
  return [`${matchOn} ${digest([isExact(matchOn) ? String(value) : withoutCase(String(value))])}`]
}

/** Two 32-bit hashes (FNV-1a): rows with the same digest are the same for all practical purposes. */
function digest(cells: readonly string[]): string {
  let a = 0x811c9dc5
  let b = 0x1234567
  for (const cell of cells) {
    for (let at = 0; at <= cell.length; at++) {
      const code = at < cell.length ? cell.charCodeAt(at) : 0x1_0000
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13)
    }
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`
}
