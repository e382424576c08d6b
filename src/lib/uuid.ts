const pattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Converts a UUID to lower case, as stored; undefined if the text is not a UUID (decision B9). */
export function parseUuid(text: string): string | undefined {
  return pattern.test(text) ? text.toLowerCase() : undefined
}

/** The 16 bytes of a UUID in canonical form. */
export function packUuid(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** The canonical form of a UUID's 16 bytes. */
export function unpackUuid(bytes: Uint8Array): string {
  const hex = (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A lower bound: every UUIDv7 generated at this moment or later sorts after it, every earlier one before it. */
export function firstUuidAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
