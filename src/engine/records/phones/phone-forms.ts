import { createRequire } from 'node:module'
import { validationError } from '../../../errors.ts'
import { type PhoneForms, sameDigits } from '../../../lib/text.ts'
import type { Reader } from '../../../store/reader.ts'

// Which telephone numbers are the same (decisions C6, K7). Filters, searches, unique values, matches, duplicates and merges ask here.

/** Finding the forms of a number takes some 100 µs. */
const numbersMax = 150

/** Two numbers are the same if they share a mark. */
export type PhoneMarks = (key: string) => readonly string[]

/** The forms of numbers in the workspace's company. */
export function phoneFormsOf(reader: Reader): PhoneForms {
  return inCountry(
    reader,
    sameDigits,
    ({ formsOf }, country) =>
      (key) =>
        formsOf(key, country),
  )
}

/** The same for a query, which compares a bounded number of them. */
export function askedPhoneForms(reader: Reader): PhoneForms {
  const forms = phoneFormsOf(reader)
  if (forms === sameDigits) return forms
  let count = 0
  return (key) => {
    if (++count <= numbersMax) return forms(key)
    const message = `A request compares at most ${numbersMax} telephone numbers`
    throw validationError([{ field: 'phone', message, code: 'OUT_OF_RANGE' }])
  }
}

/** The marks of numbers in the workspace's company. They take some 20 µs. */
export function phoneMarksOf(reader: Reader): PhoneMarks {
  return inCountry<PhoneMarks>(
    reader,
    digitsOf,
    ({ marksOf }, country) =>
      (key) =>
        marksOf(key, country),
  )
}

const digitsOf: PhoneMarks = (key) => [sameDigits(key)[0]!]

/** The country in which the company of the workspace dials its numbers. */
export function phoneCountryOf(reader: Reader): string | null {
  const sql = `SELECT phone_country FROM company
    WHERE id = (SELECT company_id FROM workspace WHERE id = :workspace)`
  return reader.remember('phone country', () => reader.value<string>(sql) ?? null)
}

type Numbers = typeof import('./phone-numbers.ts')
type Country = Parameters<Numbers['formsOf']>[1]

function inCountry<T>(reader: Reader, without: T, within: (numbers: Numbers, country: Country) => T): T {
  const country = phoneCountryOf(reader)
  if (country === null) return without
  const numbers = loadNumbers()
  return numbers.isPhoneCountry(country) ? within(numbers, country) : without
}

/** The numbering plans are loaded when the first company needs them, and at once, because a write does not wait. */
function loadNumbers(): Numbers {
  const load = typeof require === 'function' ? undefined : createRequire(import.meta.url) // undefined in the bundle, which has it inside
  return load ? load('./phone-numbers.ts') : require('./phone-numbers.ts')
}
