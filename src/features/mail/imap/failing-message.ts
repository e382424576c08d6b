import { lookupFailingMail, storeFailingMail } from '../../../access/setting.ts'
import { errorFields, log } from '../../../lib/log.ts'
import type { Store } from '../../../store/store.ts'

/** How often a message is tried that fails while other things work: within about 20 minutes. */
const triesMax = 8

/** The message of a mailbox whose delivery fails, and how often it did, also before a restart. */
export class FailingMessage {
  readonly #store: Store
  readonly #sourceId: string
  #name: string
  #tries: number

  constructor(store: Store, sourceId: string) {
    this.#store = store
    this.#sourceId = sourceId
    const [, name = '', tries = '0'] = /^(\d+ \d+) (\d+)$/.exec(lookupFailingMail(store.access, sourceId) ?? '') ?? []
    this.#name = name
    this.#tries = Number(tries)
  }

  /** Whether the message is to be passed over if it fails once more. */
  isLastTry(uidValidity: string, uid: number): boolean {
    return this.#name === nameOf(uidValidity, uid) && this.#tries + 1 >= triesMax
  }

  async note(uidValidity: string, uid: number): Promise<void> {
    const name = nameOf(uidValidity, uid)
    this.#tries = this.#name === name ? this.#tries + 1 : 1
    this.#name = name
    await this.#keep(`${name} ${this.#tries}`)
  }

  /** The message has been dealt with. */
  async forget(uidValidity: string, uid: number): Promise<void> {
    if (this.#name !== nameOf(uidValidity, uid)) return
    this.#name = ''
    await this.#keep(null)
  }

  get tries(): number {
    return this.#tries
  }

  /** Never rejects: without it, a restart counts a few tries again. */
  async #keep(text: string | null): Promise<void> {
    await this.#store
      .writeAccess((tx) => storeFailingMail(tx, this.#sourceId, text))
      .catch((error) => log('the tries of a message were not stored', errorFields(error), 'warn'))
  }
}

function nameOf(uidValidity: string, uid: number): string {
  return `${uidValidity} ${uid}`
}
