import { computed } from '@preact/signals'
import { description } from './session.ts'

/** Smaller differences are those of clocks that are not exact, and of the time that the page took to load. */
const differenceMsMin = 60_000

/** How far the server is ahead of this browser, in milliseconds: a sandbox can have a time of its own. */
const aheadMs = computed(() => {
  const ms = description.value ? Date.parse(description.value.now) - Date.now() : 0
  return Math.abs(ms) < differenceMsMin ? 0 : ms
})

/** The server's time. */
export function now(): Date {
  return new Date(Date.now() + aheadMs.value)
}
