import { type ApiError, validationError } from '../../../errors.ts'
import { undo } from '../data/change-log.ts'
import { type Choice, isNewChoice } from '../data/choice.ts'
import type { Values } from '../data/form-merge.ts'
import { request } from '../data/http.ts'
import type { Once } from '../data/once.ts'
import { nearOf } from '../data/record-values.ts'
import { isRefused } from '../data/refused.ts'
import { type Row, viewOf } from '../data/resource-views.ts'
import { fieldOf, resourceOf } from '../session/session.ts'

interface Together {
  of: string
  values: Values
  once: Once
  /** Saves the record. `resolve` replaces references to new records by those that have been created. */
  save(resolve: (values: Values) => Values): Promise<Row>
  /** Creates what belongs to the saved record. */
  also?: ((saved: Row) => Promise<unknown>) | undefined
}

/**
 * Creates the records that a form's references name, and saves the form. All requests have one id, so that one undo takes them back. If the
 * server refuses one, the others are undone at once: nothing stays of a form that is cancelled then.
 */
export async function saveTogether({ of, values, once, save, also }: Together): Promise<Row> {
  const made: Record<string, Choice> = {}
  const resolve = (given: Values) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, made[name] ?? value]))
  let isWritten = false
  try {
    for (const [name, value] of Object.entries(values)) {
      if (!isNewChoice(value)) continue
      made[name] = await createNamed(of, name, value.label, resolve(values), once)
      isWritten = true
    }
    const saved = await save(resolve)
    isWritten = true
    await also?.(saved)
    return saved
  } catch (error) {
    if (isWritten && isRefused(error)) await undo({ request_id: once }).catch(() => {}) // the error of the form says more
    throw error
  }
}

/** Creates a record that belongs to a form. Errors are those of the form's field. */
export async function createPart(path: string, body: Values, once: Once, field: string): Promise<Row> {
  try {
    return await request<Row>('POST', `/${path}`, { body, once: `${once}.${field}`, requestId: once })
  } catch (error) {
    if (!isRefused(error)) throw error
    throw validationError([{ field, message: (error as ApiError).message, code: 'INVALID_VALUE' }])
  }
}

/** Creates the record of a reference. If its name has two fields, the first gets the first word. */
async function createNamed(of: string, name: string, label: string, values: Values, once: Once): Promise<Choice> {
  const field = fieldOf(of, name)
  const near = nearOf(of, field, values)
  const [first, second] = viewOf(field.target!).name
  const [word, ...words] = second ? label.split(/\s+/) : [label]
  const names = { [first!]: word, ...(words.length > 0 && { [second!]: words.join(' ') }) }
  const body = { ...names, ...(near && { [near[0]]: near[1] }) }
  const { id } = await createPart(resourceOf(field.target!).path, body, once, name)
  return { id, label }
}
