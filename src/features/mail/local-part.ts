import type { Writer } from '../../store/reader.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const bytes = 16

/** The part of a new address before the `@`: 128 random bits in lower-case base32. */
export function newLocalPart(tx: Writer): string {
  let bits = BigInt(`0x${Buffer.from(tx.randomBytes(bytes)).toString('hex')}`)
  let text = ''
  for (let at = 0; at < Math.ceil((bytes * 8) / 5); at++, bits >>= 5n) text += letters[Number(bits & 31n)]
  return text
}
