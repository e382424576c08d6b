import assert from 'node:assert/strict'
import type { Client } from '../support/client.ts'
import { exchange } from '../support/exchange.ts'
import type { Random } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { caughtUp, type Node } from './cluster.ts'

const path = '/api-v1-organizations'
const recordsMax = 12
/** Enough records for lists with filters to run on a thread. */
const many = 2_000
/** Of one bulk import. */
const importedMax = 1_000
const readersMax = 16

interface Read {
  what: string
  status: number
  /** What it asked for, and what the response says. */
  minPosition: number
  position: number
  text: string
}

interface Target {
  path: string
  minPosition: number
  accept?: string
}

export interface ReadsOutcome {
  reads: number
  writes: number
  /** Responses that do not show exactly what their position says, or not what was asked for. */
  violations: string[]
  /** Responses with 503: the follower was not there within a second, or too many exports were read. */
  refused: number
}

/** Writes at a leader while a follower is read, and compares what each response of the follower shows with its position. */
export class FollowerReads {
  readonly #leader: Client
  readonly #follower: { url: string; key: string }
  readonly #random: Random
  readonly #ids: string[] = []
  /** The positions of the versions of each record, by its number. */
  readonly #positions: number[][] = []
  /** The record that was created last, and its position. */
  #created = { id: '', position: 0 }
  #writes = 0
  #isEnding = false

  private constructor(leader: Client, follower: Node, random: Random) {
    this.#leader = leader
    this.#follower = { url: follower.url, key: leader.key }
    this.#random = random
  }

  static async open(leader: Client, follower: Node, random: Random): Promise<FollowerReads> {
    const made = new FollowerReads(leader, follower, random)
    await fill(leader, follower)
    for (let n = 0; n < recordsMax; n++) {
      const created = await leader.post(path, { name: nameOf(n, 0) })
      made.#ids.push(created.body.data.id)
      made.#positions.push([positionOf(created.headers)])
      await caughtUp(follower, leader, created)
    }
    made.#created = { id: made.#ids.at(-1)!, position: made.#positions.at(-1)![0]! }
    return made
  }

  /** Reads `count` times, and writes at the leader after so many reads have begun. */
  async run(count: number, readsPerWrite: number): Promise<ReadsOutcome> {
    const outcome: ReadsOutcome = { reads: 0, writes: 0, violations: [], refused: 0 }
    const unchecked: Read[] = []
    let left = count
    const reader = async () => {
      while (left-- > 0) unchecked.push(await this.#read(this.#choose()))
    }
    const writing = this.#write(async () => {
      this.#checkKnown(unchecked, outcome)
      const next = count - readsPerWrite * this.#writes
      await until('more reads have begun', () => this.#isEnding || left, {
        is: (more) => more === true || more <= next,
      })
    })
    await Promise.all(Array.from({ length: readersMax }, reader))
    this.#isEnding = true
    await writing
    for (const read of unchecked) this.#check(read, outcome)
    return { ...outcome, writes: this.#writes }
  }

  #choose(): Target {
    const { below } = this.#random
    const n = below(recordsMax)
    const dice = below(1_000)
    const latest = Math.max(...this.#positions.map((each) => each.at(-1)!))
    const minPosition = [0, latest, latest + 1][below(3)]! // the last one is written while the request waits
    if (dice < 300) return { path: `${path}/${this.#created.id}`, minPosition: this.#created.position }
    if (dice < 600) return { path: `${path}/${this.#ids[n]}`, minPosition }
    if (dice < 800) return { path: `${path}?limit=20&sort=-updated_at`, minPosition }
    if (dice < 900) return { path: `${path}/${this.#ids[n]}/history`, minPosition }
    if (dice < 980) return { path: `${path}?status=lead&name[like]=Record%20`, minPosition }
    if (dice < 995) return { path: `/api-v1-search?q=version`, minPosition }
    if (dice < 998) return { path: `${path}?name[like]=Record%20`, minPosition, accept: 'text/csv' }
    return { path: '/api-v1-snapshot?types=organization', minPosition }
  }

  async #read({ path: target, minPosition, accept = 'application/json' }: Target): Promise<Read> {
    const { url, key } = this.#follower
    const headers = {
      Authorization: `Bearer ${key}`,
      Accept: accept,
      ...(minPosition > 0 && { 'Kontor-Min-Position': String(minPosition) }),
    }
    const { status, headers: found, text } = await exchange(url + target, { headers })
    return { what: `${target} (${accept})`, status, minPosition, position: positionOf(found), text }
  }

  /** One write after the other, with what is between them. */
  async #write(between: () => Promise<void>): Promise<void> {
    while (!this.#isEnding) {
      this.#writes++
      if (this.#writes % 4 === 0) {
        const { status, headers, body } = await this.#leader.post(path, { name: `Created ${this.#writes}` })
        assert.equal(status, 201)
        this.#created = { id: body.data.id, position: positionOf(headers) }
      } else {
        const n = this.#random.below(recordsMax)
        const name = nameOf(n, this.#positions[n]!.length)
        const { status, headers } = await this.#leader.patch(`${path}/${this.#ids[n]}`, { name })
        assert.equal(status, 200)
        this.#positions[n]!.push(positionOf(headers))
      }
      await between()
    }
  }

  /** Checks the responses of which all writes that they may show are known. */
  #checkKnown(unchecked: Read[], outcome: ReadsOutcome): void {
    const known = Math.min(...this.#positions.map((each) => each.at(-1)!))
    const reads = unchecked.splice(0)
    unchecked.push(...reads.filter(({ position }) => position > known))
    for (const read of reads) if (read.position <= known) this.#check(read, outcome)
  }

  #check(read: Read, outcome: ReadsOutcome): void {
    outcome.reads++
    if (read.status === 503) outcome.refused++
    else if (read.status !== 200 || read.position < read.minPosition) {
      outcome.violations.push(`${read.what}: ${read.status} at ${read.position}, asked for ${read.minPosition}`)
    } else {
      for (const [n, version] of versionsIn(read.text)) {
        const of = this.#positions[n]!
        const expected = of.findLastIndex((position) => position <= read.position)
        if (version === expected) continue
        outcome.violations.push(
          `${read.what}: version ${version} of record ${n} at ${read.position}, which has version ${expected} of ${of[expected]}`,
        )
      }
    }
  }
}

async function fill(leader: Client, follower: Node): Promise<void> {
  let job = ''
  for (let from = 0; from < many; from += importedMax) {
    const records = Array.from({ length: importedMax }, (_, n) => ({ name: `Filler ${from + n}` }))
    job = (await leader.post('/api-v1-bulk/organizations', { records })).headers.get('location')!
    await until('the import has ended', async () => (await leader.get(job)).body.data.status, {
      is: (status) => status === 'completed',
    })
  }
  await caughtUp(follower, leader, await leader.get(job))
}

function nameOf(n: number, version: number): string {
  return `Record ${n} version ${version}.`
}

/** The newest version of each record that a text shows. */
function versionsIn(text: string): Map<number, number> {
  const found = new Map<number, number>()
  for (const [, n, version] of text.matchAll(/Record (\d+) version (\d+)\./g)) {
    found.set(Number(n), Math.max(Number(version), found.get(Number(n)) ?? 0))
  }
  return found
}

function positionOf(headers: Headers): number {
  return Number(headers.get('kontor-position'))
}
