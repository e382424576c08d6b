import { domainToASCII } from 'node:url'

/** A recipient as addresses are compared: in lower case, the domain in ASCII. */
export function recipientOf(given: string): { address: string; domain: string } {
  const at = given.lastIndexOf('@')
  const domain = domainToASCII(given.slice(at + 1))
  return { address: `${given.slice(0, at).toLowerCase()}@${domain}`, domain }
}
