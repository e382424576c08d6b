import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { createTransport } from 'nodemailer'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** The record of the key that signs, at `s1._domainkey.<domain>`. */
export const keyRecord = recordOf(publicKey)

function recordOf(key: KeyObject): string {
  return `v=DKIM1; k=rsa; p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`
}

export const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A mail that nodemailer writes and signs for a domain. */
export async function signedMail(from: string, domain: string): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail({
    ...{ from, to: 'ada@kontor.example', subject: 'Hampers', text: 'Please send 200.' },
    dkim: { domainName: domain, keySelector: 's1', privateKey: pem },
  })
  return message as Buffer
}

/** A mail with the signature in front that mailauth makes with these options. */
export async function signedWith(raw: string, signature: object): Promise<string> {
  const common = { signingDomain: 'customer.example', selector: 's1', privateKey: pem }
  const { signatures } = await dkimSign(raw, { signatureData: [{ ...common, ...signature }] } as never)
  return `${signatures}${raw}`
}
