/** How often a message is tried that fails while other things work: within about 20 minutes. */
const triesMax = 8

/** The message of a mailbox whose delivery fails, and how often it did. A restart begins anew. */
export class FailingMessage {
  #name = ''
  #tries = 0

  /** Notes a failure. Returns whether the message is to be passed over. */
  fails(uidValidity: string, uid: number): boolean {
    const name = `${uidValidity} ${uid}`
    this.#tries = this.#name === name ? this.#tries + 1 : 1
    this.#name = name
    return this.#tries >= triesMax
  }

  get tries(): number {
    return this.#tries
  }
}
