import { isEmailAddress } from '../lib/email.ts'
import { shortTextMax } from '../lib/text.ts'
import { addressesMax } from './bounds.ts'
import { shortText } from './clean-text.ts'
import type { Address } from './mail.ts'

/** An address as `mailparser` reads it; a group has members. */
interface Given {
  name?: string
  address?: string
  group?: readonly Given[]
}

/** The valid addresses of one or several fields, each once. */
export function addressesOf(fields: unknown): Address[] {
  const given = [fields].flat().flatMap((field) => (field as { value?: readonly Given[] } | undefined)?.value ?? [])
  const members = given.flatMap((one) => one.group ?? one)
  const known = new Map<string, Address>()
  for (const { name, address } of members) {
    const valid = addressOf(name, address ?? '')
    if (valid && !known.has(valid.address)) known.set(valid.address, valid)
    if (known.size === addressesMax) break
  }
  return [...known.values()]
}

/** Undefined if it is not valid. */
export function addressOf(name: string | undefined, address: string): Address | undefined {
  const plain = address.trim().toLowerCase()
  if (!isEmailAddress(plain)) return undefined
  const shown = shortText(name, shortTextMax)
  return { name: shown === null || shown.toLowerCase() === plain ? null : shown, address: plain }
}
