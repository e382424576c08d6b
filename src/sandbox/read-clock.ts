import * as v from 'valibot'
import { invalid } from '../engine/records/definition/faults.ts'
import { validationError } from '../errors.ts'
import { type ClockState, clockModes } from './clock.ts'
import { choice, moment, readMembers } from './read-members.ts'

const members = { now: v.optional(moment('now')), mode: v.optional(choice('mode', clockModes)) }

/** Where a clock is to be set. A real clock that is given another time ticks. Throws VALIDATION_ERROR. */
export function readClock(body: object, before: ClockState): ClockState {
  const { now, mode = before.mode === 'real' && now !== undefined ? 'ticking' : before.mode } = readMembers(
    body,
    members,
  )
  if (mode === 'real' && now !== undefined) {
    throw validationError([invalid('now', 'now cannot be set in mode real: use ticking or frozen')])
  }
  return { mode, nowMs: now ?? before.nowMs }
}
