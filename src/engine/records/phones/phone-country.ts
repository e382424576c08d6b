import { validationError } from '../../../errors.ts'

const form = /^[a-z]{2}$/i

/**
 * A country from its code in any case; null from null, and from empty text (decision K7). Throws VALIDATION_ERROR for any other value.
 */
export async function requirePhoneCountry(given: unknown): Promise<string | null> {
  if (given === null || given === '') return null
  const code = typeof given === 'string' && form.test(given.trim()) ? given.trim().toUpperCase() : ''
  const { isPhoneCountry } = await import('./phone-numbers.ts')
  if (isPhoneCountry(code)) return code
  const message =
    'Phone country must be an ISO 3166-1 alpha-2 code of a country with telephone numbers, such as DE or US'
  throw validationError([{ field: 'phone_country', message, code: 'INVALID_VALUE' }])
}
