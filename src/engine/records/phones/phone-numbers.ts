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
import { phoneKey, sameDigits } from '../../../lib/text.ts'
import { readAsset } from '../../../packaging/embedded.ts'

// Unpacks the numbering plans of all countries, so it is imported when a company needs it, not at start (decision K7).

const plans: MetadataJson = JSON.parse(gunzipSync(readAsset('phone-numbers.json')).toString())

/** The keys of numbers that may be dialled as they are. No number is longer, and letters are those of an extension. */
const dialled = /^\+?\d{3,24}$/

/** Whether a text is the ISO 3166-1 code of a country with telephone numbers. */
export function isPhoneCountry(code: string): code is CountryCode {
  return isSupportedCountry(code as CountryCode, plans)
}

/** Numbers are the same in a company of this country if they share one of these: the digits, or the international number. `key` is of `phoneKey`. */
export function marksOf(key: string, country: CountryCode): string[] {
  const [digits] = sameDigits(key)
  const number = numberOf(key, country)
  return number ? [digits!, number.number] : [digits!]
}

/** The keys with which this number may be stored: those with its digits, and of its national and international notations. */
export function formsOf(key: string, country: CountryCode): string[] {
  const number = numberOf(key, country)
  if (!number) return [...sameDigits(key)]
  const forms = new Set<string>([...sameDigits(key), number.number])
  for (const form of candidatesOf(number, country)) {
    if (!forms.has(form) && numberOf(form, country)?.number === number.number) forms.add(form)
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
