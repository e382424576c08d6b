import { validationError } from '../../../errors.ts'
import type { DescribedField } from '../../description.ts'
import { keyOf } from '../data/declared.ts'
import type { Values } from '../data/form-merge.ts'
import { isConfirmed } from '../parts/dialog.tsx'
import { declaredOf } from '../session/session.ts'
import { exactAmount } from '../text/format.ts'
import { about, t } from '../text/texts.ts'

/** Throws VALIDATION_ERROR if a free entry of the metadata has the key of a declared field, which has an input of its own. */
export function requireApart(of: string, { metadata = {} }: Values): void {
  const field = declaredOf(of).find(({ name }) => Object.hasOwn(metadata as object, keyOf(name)))
  if (!field) return
  const message = t('Enter {key} under {label}', { key: keyOf(field.name), label: field.label })
  throw validationError([{ field: 'metadata', message, code: 'INVALID_VALUE' }])
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
