import { timestamp } from '../../../lib/clock.ts'
import type { Condition } from '../../records/definition/filter.ts'

/** A condition of a list, and the ways to find its rows. */
interface Timed extends Condition {
  narrow?: { candidates: Condition; condition: Condition }
}

/** Stands for the time of the read among the values of a condition. No value of a request contains U+0000. */
export const timeOfRead = '\0now'

/** Whether conditions depend on the time, so that a response must not be cached. */
export function isTimed(where: readonly Condition[]): boolean {
  return where.some(({ params }) => params.includes(timeOfRead))
}

/** The conditions at a time in milliseconds. */
export function atTime<C extends Timed>(where: readonly C[], nowMs: number): C[] {
  const now = timestamp(nowMs)
  const timed = <E extends Condition>(each: E): E => ({
    ...each,
    params: each.params.map((param) => (param === timeOfRead ? now : param)),
  })
  return where.map((each) => {
    if (!each.params.includes(timeOfRead)) return each
    const { narrow } = each
    const narrowed = narrow && { ...narrow, candidates: timed(narrow.candidates), condition: timed(narrow.condition) }
    return { ...timed(each), ...(narrowed && { narrow: narrowed }) }
  })
}
