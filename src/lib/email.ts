/** The maximum number of characters in an address (RFC 5321). */
export const emailMax = 254

const letter = "A-Za-z0-9!#$%&'*+/=?^_`{|}~-"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** The local part without its length: no dot at either end, no two dots in a row. */
const form = new RegExp(`^[${letter}]+(?:\\.[${letter}]+)*@${label}(?:\\.${label})+$`)

/** Limits that `format: email` does not include: the lengths of the local part and of each domain label, and a dot in the domain. */
export const emailLengths = new RegExp(`^[.${letter}]{1,64}@${label}(?:\\.${label})+$`)

/** Whether a text is an email address (decision D12). */
export function isEmailAddress(text: string): boolean {
  return text.length <= emailMax && form.test(text) && emailLengths.test(text)
}
