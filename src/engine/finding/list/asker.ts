import { validationError } from '../../../errors.ts'
import { type Clock, timestamp } from '../../../lib/clock.ts'
import type { SqlValue } from '../../../store/reader.ts'
import type { Viewer } from '../../../store/visibility.ts'
import { invalid } from '../../records/definition/faults.ts'
import { askingUser, type Condition, timeOfRead, viewingUser } from '../../records/definition/filter.ts'

/** Who reads a list, and when. Conditions are parsed without either, so that they can be remembered. */
export interface Asker {
  readonly nowMs: number
  /** The signed-in user, or the user of a personal key. */
  readonly userId: string | undefined
  /** Whose rows are seen, if they are those of a user. */
  readonly viewerId: string | null
}

interface Asking {
  readonly clock: Pick<Clock, 'now'>
  readonly caller: { readonly userId: string | undefined; readonly viewer: Viewer }
}

/** Who sends a request, and when. */
export function askerOf({ caller, clock }: Asking): Asker {
  return { nowMs: clock.now(), userId: caller.userId, viewerId: caller.viewer.userId }
}

/** A condition of a list, and the ways to find its rows. */
interface Asked extends Condition {
  parameter: string
  narrow?: { candidates: Condition; condition: Condition }
}

/** Whether conditions depend on the asker, so that a response must not be cached. */
export function dependsOnAsker(where: readonly Condition[]): boolean {
  return where.some(({ params }) => params.some(isOpen))
}

/** The conditions as they are for the asker. Throws VALIDATION_ERROR if one needs a user and there is none. */
export function forAsker<C extends Asked>(where: readonly C[], { nowMs, userId, viewerId }: Asker): C[] {
  const filled = <E extends Condition>(each: E, parameter: string): E => ({
    ...each,
    params: each.params.map((param) => {
      if (param === timeOfRead) return timestamp(nowMs)
      if (param === viewingUser) return viewerId
      if (!isOpen(param)) return param
      if (userId === undefined) throw validationError([invalid(parameter, nobody)])
      return param === askingUser ? userId : String(param).replaceAll(listedUser, JSON.stringify(userId))
    }),
  })
  return where.map((each) => {
    if (!each.params.some(isOpen) && !each.narrow?.condition.params.some(isOpen)) return each
    const { narrow, parameter } = each
    const narrowed = narrow && {
      ...narrow,
      candidates: filled(narrow.candidates, parameter),
      condition: filled(narrow.condition, parameter),
    }
    return { ...filled(each, parameter), ...(narrowed && { narrow: narrowed }) }
  })
}

const nobody = 'me is the user of a session or of a personal key: name the user by its id'

/** Within a JSON array of values. In a text of a request, the backslash would be doubled. */
const listedUser = JSON.stringify(askingUser)

function isOpen(param: SqlValue): boolean {
  if (typeof param !== 'string') return false
  return [timeOfRead, askingUser, viewingUser].includes(param) || param.includes(listedUser)
}
