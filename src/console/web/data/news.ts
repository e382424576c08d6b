import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Change } from './change-log.ts'

/** A change that somebody else made. */
export type News = Pick<Change, 'type' | 'resource' | 'record_id' | 'request_id'>

/** `undone`: the user has undone something; `unknown`: anything may have changed. */
type Told = readonly News[] | 'undone' | 'unknown'

/** The least time between two reloads, and from the user's last action to a reload. */
const pauseMs = 1_000
const calmMs = 300
const retryMs = 200

const listeners = new Set<(told: Told) => void>()
let actedAt = -calmMs

for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove']) {
  addEventListener(type, act, { capture: true, passive: true })
}

/** Tells everything that is shown what has changed. */
export function tell(told: Told): void {
  for (const listener of listeners) listener(told)
}

/** Calls `listener` at once for each call of `tell`. */
export function onTold(listener: (told: Told) => void): void {
  listeners.add(listener)
}

/** Tells everything else on the page what the user has changed: the stream leaves it out. */
export function tellOwn(resource: string, record_id: string): void {
  tell([{ type: `${resource}.updated`, resource, record_id, request_id: null }])
}

/**
 * Calls `run` after a change that concerns it, once for several, at most once a second. It waits while the page is hidden, while a dialog
 * is open, and until the user has neither moved the pointer nor pressed a key for a moment: nothing moves from under the pointer. After an
 * undo it is called at once.
 */
export function useNews(concerns: (news: News) => boolean, run: () => unknown): void {
  const latest = useRef({ concerns, run })
  latest.current = { concerns, run }
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let next = 0
    let running = 0
    let isDue = false
    const call = async () => {
      timer = undefined
      isDue = false
      running++
      try {
        await latest.current.run()
      } finally {
        running--
        next = performance.now() + pauseMs
        if (isDue && listeners.has(listener)) schedule()
      }
    }
    const schedule = () => {
      if (running > 0) isDue = true
      else timer ??= setTimeout(attempt, Math.max(0, next - performance.now()))
    }
    const attempt = () => {
      if (isBusy()) timer = setTimeout(attempt, retryMs)
      else void call()
    }
    const listener = (told: Told) => {
      if (told === 'undone') {
        clearTimeout(timer)
        void call()
      } else if (told === 'unknown' || told.some((news) => latest.current.concerns(news))) schedule()
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      clearTimeout(timer)
    }
  }, [])
}

function act(): void {
  actedAt = performance.now()
}

function isBusy(): boolean {
  if (document.visibilityState === 'hidden' || document.querySelector('dialog[open]')) return true
  return performance.now() - actedAt < calmMs
}
