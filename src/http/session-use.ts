import { type Session, touchSession } from '../access/session.ts'
import { minuteMs } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'

/** How exact the time of the last use is: one write in this time for each session that is used. */
const everyMs = 5 * minuteMs

/** Records when sessions are used, without delaying their requests (decision K15). */
export class SessionUse {
  readonly #store: Store
  /** The sessions whose use is being written. */
  readonly #writing = new Set<string>()

  constructor(store: Store) {
    this.#store = store
  }

  note({ hash, lastUsedAt }: Session): void {
    const age = this.#store.clock.now() - (lastUsedAt === null ? 0 : Date.parse(lastUsedAt))
    if (age < everyMs || this.#writing.has(hash)) return
    try {
      this.#store.requireWritable()
    } catch {
      return // the leader records it when it serves this user
    }
    this.#writing.add(hash)
    this.#store
      .writeUsage((tx) => touchSession(tx, hash))
      .catch((error) => log('writing the use of a session failed', errorFields(error), 'error'))
      .finally(() => this.#writing.delete(hash))
  }
}
