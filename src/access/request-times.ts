const initialLength = 4

/** The times of counted requests, oldest first, in a ring buffer that grows with their number. */
export class RequestTimes {
  #ring = new Float64Array(initialLength)
  #first = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** The oldest time; undefined if there are none. */
  get oldest(): number | undefined {
    return this.#count === 0 ? undefined : this.#ring[this.#first]
  }

  /** Memory of the ring buffer, in bytes. */
  get bytes(): number {
    return this.#ring.byteLength
  }

  /** Adds a time. Keeps at most `countMax`, the newest ones. */
  add(time: number, countMax: number): void {
    this.keepNewest(countMax - 1)
    if (this.#count === this.#ring.length) this.#grow(Math.min(2 * this.#count, countMax))
    this.#ring[(this.#first + this.#count) % this.#ring.length] = time
    this.#count++
  }

  dropNewest(): void {
    if (this.#count > 0) this.#count--
  }

  dropUntil(time: number): void {
    while (this.#count > 0 && this.#ring[this.#first]! <= time) this.#drop(1)
  }

  keepNewest(countMax: number): void {
    if (this.#count > countMax) this.#drop(this.#count - countMax)
  }

  #drop(count: number): void {
    this.#first = (this.#first + count) % this.#ring.length
    this.#count -= count
  }

  #grow(length: number): void {
    const grown = new Float64Array(length)
    grown.set(this.#ring.subarray(this.#first))
    grown.set(this.#ring.subarray(0, this.#first), this.#ring.length - this.#first)
    this.#ring = grown
    this.#first = 0
  }
}
