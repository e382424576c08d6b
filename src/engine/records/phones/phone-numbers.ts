import { gunzipSync } from 'node:zlib'
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type MetadataJson,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core'
import { phoneKey } from '../../../lib/text.ts'
import { readAsset } from '../../../packaging/embedded.ts'

// Unpacks the numbering plans of all countries, so it is imported when a company needs it, not at start (decision K7).

const plans: MetadataJson = JSON.parse(gunzipSync(readAsset('phone-numbers.json')).toString())

/** The keys of numbers that may be dialled as they are. No number is longer, and letters are those of an extension. */
const dialled = /^\+?\d{3,24}$/

/** Whether a text is the ISO 3166-1 code of a country with telephone numbers. */
export function isPhoneCountry(code: string): code is CountryCode {
  return isSupportedCountry(code as CountryCode, plans)
}

/**
 * What telephone numbers are equal by in a company of this country: the international number. `key` is of `phoneKey`, and returned
 * if it is not a number that is valid there.
 */
export function comparisonKey(key: string, country: CountryCode): string {
  return numberOf(key, country)?.number ?? key
}

/** The keys with which this number may be stored: those of its national and international notations. */
export function formsOf(key: string, country: CountryCode): string[] {
  const number = numberOf(key, country)
  if (!number) return [key]
  const forms = new Set<string>([key, number.number])
  for (const form of candidatesOf(number, country)) {
    if (!forms.has(form) && comparisonKey(form, country) === number.number) forms.add(form)
  }
  return [...forms]
}

function numberOf(key: string, country: CountryCode): PhoneNumber | undefined {
  if (!dialled.test(key)) return undefined
  const number = parsePhoneNumberFromString(key, { defaultCountry: country, extract: false }, plans)
  return number?.isValid() ? number : undefined
}

function candidatesOf(number: PhoneNumber, country: CountryCode): string[] {
  const metadata = new Metadata(plans)
  metadata.selectNumberingPlan(country)
  const { countryCallingCode: code, nationalNumber: digits } = number
  const fromHere = phoneKey(`${metadata.numberingPlan!.IDDPrefix()}${code}${digits}`)
  if (getCountryCallingCode(country, plans) !== code) return [fromHere]
  return [fromHere, digits, `0${digits}`, phoneKey(number.formatNational()), `${code}${digits}`, `+${code}0${digits}`]
}
