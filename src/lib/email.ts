import { withoutCase } from './text.ts'

/** The maximum number of characters in an address (RFC 5321). */
export const emailMax = 254

const letter = "A-Za-z0-9!#$%&'*+/=?^_`{|}~-"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** The local part without its length: no dot at either end, no two dots in a row. */
const form = new RegExp(`^[${letter}]+(?:\\.[${letter}]+)*@${label}(?:\\.${label})+$`)

/** The lengths of the local part and of each domain label, and a dot in the domain. */
const lengths = new RegExp(`^[.${letter}]{1,64}@${label}(?:\\.${label})+$`)

/** A letter or digit of a domain in any script. */
const wide = '[^\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]'
const wideLabel = `${wide}(?:(?:${wide}|-){0,61}${wide})?`

/** What an address satisfies besides `format: email`, before its domain has its ASCII form. */
export const emailPattern = `^[.${letter}]{1,64}@${wideLabel}(?:\\.${wideLabel})+$`

const beyondAscii = /[^\0-\x7f]/
const international = /^(?:[A-Za-z0-9.-]|[^\0-\x7f])+$/

/** Whether a text is an email address (decision D12). */
export function isEmailAddress(text: string): boolean {
  if (text.length > emailMax) return false
  const ascii = withAsciiDomain(text)
  return ascii !== undefined && ascii.length <= emailMax && form.test(ascii) && lengths.test(ascii)
}

/** What addresses are compared by: without case, and with the ASCII form of an internationalized domain (decision D12). */
export function emailKey(text: string): string {
  return withoutCase(withAsciiDomain(text) ?? text)
}

/** Whether an address is one of a domain, which is in ASCII and lower case. */
export function isInDomain(address: string, domain: string): boolean {
  return emailKey(address).endsWith(`@${domain}`)
}

/** The address with its domain by UTS 46; undefined: there is no such domain. */
function withAsciiDomain(text: string): string | undefined {
  if (!beyondAscii.test(text)) return text
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (at === -1 || domain.length > emailMax || !international.test(domain)) return undefined
  const url = `http://${domain}/`
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  // The parser of URLs reads digits in another script as an IPv4 address.
  return host === '' || /(?:^|\.)\d+$/.test(host) ? undefined : `${text.slice(0, at)}@${host}`
}

/** The keys of the addresses of a stored message, in the order from, to, cc. */
export function addressKeys({ from, to, cc }: Readonly<Record<string, unknown>>): string[] {
  const all = [from === null ? [] : JSON.parse(String(from)), JSON.parse(String(to)), JSON.parse(String(cc))].flat()
  return [...new Set(all.map(({ address }: { address: string }) => emailKey(address)))]
}
