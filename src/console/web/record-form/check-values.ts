import { type Detail, validationError } from '../../../errors.ts'
import type { DescribedField } from '../../description.ts'
import { keyOf } from '../data/declared.ts'
import type { Values } from '../data/form-merge.ts'
import { itemFaults } from '../data/item-values.ts'
import { fieldsOf, isGiven } from '../data/record-values.ts'
import type { Row } from '../data/resource-views.ts'
import { isConfirmed } from '../parts/dialog.tsx'
import { declaredOf } from '../session/session.ts'
import { exactAmount } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { about, t } from '../text/texts.ts'

/**
 * What a form cannot send, and what is missing then: all is shown at once. What is only missing is sent, because the server may find more.
 * `row`: undefined for a new record.
 */
export function faultsIn(of: string, row: Row | undefined, values: Values): Detail[] {
  const wrong = [...keyFaults(of, values), ...(row ? [] : itemFaults(of, values))]
  if (wrong.length === 0 && !Object.values(values).some((value) => value instanceof Invalid)) return []
  const missing = fieldsOf(of, row).filter(
    (field) => field.required && !field.chosen && field.default === undefined && !isGiven(values[field.name]),
  )
  const lacking = missing.map(({ name, label }): Detail => {
    return { field: name, message: t('{label} is required', { label }), code: 'REQUIRED' }
  })
  return [...lacking, ...wrong]
}

/** The key of a declared field, which has an input of its own, among the free entries of the metadata. */
function keyFaults(of: string, { metadata = {} }: Values): Detail[] {
  const field = declaredOf(of).find(({ name }) => Object.hasOwn(metadata as object, keyOf(name)))
  if (!field || metadata instanceof Invalid) return []
  const message = t('Enter {key} under {label}', { key: keyOf(field.name), label: field.label })
  return [{ field: 'metadata', message, code: 'INVALID_VALUE' }]
}

/** The API accepts any amount, but a negative one is often a mistake. Throws VALIDATION_ERROR if the user does not confirm it. */
export async function confirmNegative(
  fields: readonly DescribedField[],
  values: Values,
  changed: Values,
): Promise<void> {
  for (const { name, label, currency, min } of fields) {
    const value = changed[name]
    if (!currency || min !== undefined || typeof value !== 'number' || value >= 0) continue
    const amount = exactAmount(value, values[currency])
    const title = about('Save a negative {noun}?', label)
    const body = `${label}: ${amount}`
    if (await isConfirmed({ title, body, verb: t('Save {amount}', { amount }), back: t('Change it') })) continue
    throw validationError([{ field: name, message: t('{label} is negative', { label }), code: 'INVALID_VALUE' }])
  }
}
