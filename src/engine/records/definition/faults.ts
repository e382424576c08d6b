import * as v from 'valibot'
import type { Detail, DetailCode } from '../../../errors.ts'
import { beginningOf } from '../../../lib/text.ts'

type Message<T> = string | ((issue: v.CheckIssue<T>) => string)

/**
 * A check within a schema. `detailOf` reads the code of the detail from its requirement.
 *
 *     v.pipe(v.string(), rule('TOO_LONG', (text) => isWithin(text, 500), 'Name must have at most 500 characters'))
 */
export function rule<T>(code: DetailCode, accepts: (value: T) => boolean, message: Message<T>) {
  return v.check<T, Message<T>>(
    Object.assign((value: T) => accepts(value), { code }),
    message,
  )
}

/** The detail about an issue: of a `rule`, or of a schema that rejects the type of a value. */
export function detailOf({ path, message, requirement }: v.BaseIssue<unknown>): Detail {
  const { code = 'INVALID_TYPE' } = (requirement ?? {}) as { code?: DetailCode }
  return { field: pathOf(path ?? []), message, code }
}

/** A path as text: `emails[1].email`. */
function pathOf(path: readonly { key: unknown }[]): string {
  const keys = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return keys.join('').replace(/^\./, '')
}

export function invalid(field: string, message: string, code: Detail['code'] = 'INVALID_VALUE'): Detail {
  return { field, message, code }
}

export function oneOf(message: string, allowed: readonly string[]): string {
  return allowed.length > 0 ? `${message}; allowed: ${allowed.join(', ')}` : `${message}; nothing is allowed here`
}

/** Adds a detail for each member that an object may not have: it may be misspelled. */
export function requireKnown(object: object, members: readonly string[], details: Detail[]): void {
  for (const name of Object.keys(object)) {
    if (!members.includes(name)) details.push(invalid(name, oneOf(`Unknown member ${quote(name)}`, members)))
  }
}

/** A text of the request, short enough for a message. */
export function quote(text: string): string {
  return `"${text.length > 60 ? `${beginningOf(text, 60)}…` : text}"`
}
