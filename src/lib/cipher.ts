import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** Encrypts a text and protects it against changes. `key` has 32 bytes. */
export function encrypt(key: Buffer, text: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

/** Throws if the text was not encrypted with this key. */
export function decrypt(key: Buffer, text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength))
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString('utf8')
}
