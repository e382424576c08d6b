/** How often a message is tried that fails while other things work: within about 20 minutes. */
const triesMax = 8

/** The message of a mailbox whose delivery fails, and how often it did. A restart begins anew. */
export class FailingMessage {
  #name = ''
  #tries = 0

  /** Whether the message is to be passed over if it fails once more. */
  isLastTry(uidValidity: string, uid: number): boolean {
    return this.#name === `${uidValidity} ${uid}` && this.#tries + 1 >= triesMax
  }

  note(uidValidity: string, uid: number): void {
    const name = `${uidValidity} ${uid}`
    this.#tries = this.#name === name ? this.#tries + 1 : 1
    this.#name = name
  }

  get tries(): number {
    return this.#tries
  }
}
