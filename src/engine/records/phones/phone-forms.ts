import { validationError } from '../../../errors.ts'
import { onlyItself, type PhoneForms } from '../../../lib/text.ts'
import type { Reader } from '../../../store/reader.ts'

/** Finding the forms of a number takes some 100 µs. */
const numbersMax = 150

type Numbers = typeof import('./phone-numbers.ts')
let loaded: Numbers | undefined

/** Calls `run` with the forms of numbers in the workspace's company. The numbering plans are loaded when the first company needs them. */
export function withPhoneForms<T>(reader: Reader, run: (forms: PhoneForms) => T | Promise<T>): T | Promise<T> {
  const country = phoneCountryOf(reader)
  if (country === null) return run(onlyItself)
  if (loaded) return run(formsIn(country, loaded))
  return import('./phone-numbers.ts').then((numbers) => {
    loaded = numbers
    return run(formsIn(country, numbers))
  })
}

/** The country in which the company of the workspace dials its numbers. */
export function phoneCountryOf(reader: Reader): string | null {
  const sql = `SELECT phone_country FROM company
    WHERE id = (SELECT company_id FROM workspace WHERE id = :workspace)`
  return reader.remember('phone country', () => reader.value<string>(sql) ?? null)
}

function formsIn(country: string, { formsOf, isPhoneCountry }: Numbers): PhoneForms {
  if (!isPhoneCountry(country)) return onlyItself
  let count = 0
  return (key) => {
    if (++count <= numbersMax) return formsOf(key, country)
    const message = `A request compares at most ${numbersMax} telephone numbers`
    throw validationError([{ field: 'phone', message, code: 'OUT_OF_RANGE' }])
  }
}
