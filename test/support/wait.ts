import assert from 'node:assert/strict'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { inspect } from 'node:util'

interface WaitOptions<T> {
  /** Whether what was seen is what the test waits for. Default: anything but undefined and false. */
  is?: (seen: T) => boolean
  limitMs?: number
  /** Work that leads to it: the wait fails if this work does, or ends without it. */
  during?: Promise<unknown>
}

/** In milliseconds. Longer than anything takes on a busy machine; a test that passes never takes it. */
const limitDefaultMs = 30_000
/** How often a wait looks again in the next turn of the event loop before it pauses. */
const turnsMax = 20
/** A pause between two looks takes this share of the wait so far, at most `pauseMsMax` milliseconds, but at least as long as the look. */
const [pauseShare, pauseMsMax] = [1 / 8, 25]
/** How long the last look may take beyond the limit, in milliseconds. */
const lastLookMs = 10_000

/**
 * Looks again and again until `look` returns what the test waits for, and returns that. Fails after the limit, and says what it waited for and
 * what it saw last. What `look` throws ends the wait.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { is = isThere, limitMs = limitDefaultMs, during }: WaitOptions<T> = {},
): Promise<Exclude<T, undefined | false>> {
  const startedMs = performance.now()
  const endMs = startedMs + limitMs
  const work = during && watch(during)
  let last = 'nothing yet'
  const looking = async () => {
    for (let looks = 1; ; looks++) {
      const [beganMs, isOver] = [performance.now(), work?.isOver()]
      const seen = await look()
      if (is(seen)) return seen as Exclude<T, undefined | false>
      last = textOf(seen)
      assert.ok(!isOver, `the work ended before ${what}; last seen: ${last}`)
      assert.ok(beganMs < endMs, `waited ${limitMs / 1_000} s until ${what}; last seen: ${last}`)
      const nowMs = performance.now()
      await pause(looks, nowMs - beganMs, nowMs - startedMs)
    }
  }
  return within(what, looking(), { limitMs: limitMs + lastLookMs, saw: () => last })
}

/** Looks in each turn of the event loop, for what `during` makes true for a moment only. Fails if that work does, or ends without it. */
export async function untilMoment(what: string, look: () => boolean, during: Promise<unknown>): Promise<void> {
  const work = watch(during)
  while (!look()) {
    assert.ok(!work.isOver(), `the work ended before ${what}`)
    await immediate()
  }
}

interface WithinOptions {
  limitMs?: number
  /** What was seen so far, for the message. */
  saw?: () => unknown
}

/** Resolves like a promise. Fails if it is not settled within the limit, and says what it waited for and what it saw last. */
export async function within<T>(
  what: string,
  promise: Promise<T>,
  { limitMs = limitDefaultMs, saw = () => 'nothing yet' }: WithinOptions = {},
): Promise<T> {
  const settled = new AbortController()
  const late = delay(limitMs, undefined, { signal: settled.signal, ref: false }).then(
    () => assert.fail(`waited ${limitMs / 1_000} s until ${what}; last seen: ${textOf(saw())}`),
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([promise, late])
  } finally {
    settled.abort()
  }
}

/** Lets everything run that is ready now: nothing that needs a disk, a socket, a thread or a timer has happened afterwards. */
export async function turn(): Promise<void> {
  await immediate()
}

function isThere(seen: unknown): boolean {
  return seen !== undefined && seen !== false
}

/** Returns whether work has ended; throws what it has thrown. */
function watch(work: Promise<unknown>): { isOver(): boolean } {
  let state: { error?: unknown } | undefined
  work.then(
    () => {
      state = {}
    },
    (error) => {
      state = { error }
    },
  )
  return {
    isOver() {
      if (state && 'error' in state) throw state.error
      return state !== undefined
    },
  }
}

function pause(looks: number, tookMs: number, waitedMs: number): Promise<void> {
  if (looks < turnsMax && tookMs < 1) return immediate()
  return delay(Math.max(tookMs, Math.min(pauseMsMax, waitedMs * pauseShare)))
}

function textOf(seen: unknown): string {
  return typeof seen === 'string' ? seen : inspect(seen, { depth: 4, breakLength: 120, maxStringLength: 500 })
}
