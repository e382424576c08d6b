import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

interface Keys {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
const ageMsMax = 15 * 60_000

/** What is wrong with the signature of a request, computed from what has arrived; undefined: nothing. */
export function faultOfSignature(req: IncomingMessage, url: URL, keys: Keys): string | undefined {
  const parts = form.exec(req.headers.authorization ?? '')
  if (!parts) return 'no signature of version 4'
  const [, id, day, region, names, signature] = parts as unknown as string[]
  if (id !== keys.accessKeyId || region !== keys.region) return 'another key or region'
  const signed = names!.split(';')
  const amz = Object.keys(req.headers).filter((name) => name.startsWith('x-amz-') || name === 'host')
  if (amz.some((name) => !signed.includes(name)) || [...signed].sort().join() !== signed.join())
    return 'unsigned headers'
  const time = String(req.headers['x-amz-date'])
  const [, year, month, date, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? []
  const ms = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  if (!(Math.abs(Date.now() - ms) < ageMsMax) || !time.startsWith(day!)) return 'another time'
  const canonical = [
    req.method,
    url.pathname,
    queryOf(url),
    ...signed.map((name) => `${name}:${String(req.headers[name]).trim()}`),
    '',
    names,
    req.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`
  let key: Buffer = Buffer.from(`AWS4${keys.secretAccessKey}`)
  for (const each of [day!, region!, 's3', 'aws4_request', text]) key = createHmac('sha256', key).update(each).digest()
  return key.toString('hex') === signature ? undefined : 'another signature'
}

/** The parameters as RFC 3986 writes them, by name. */
function queryOf(url: URL): string {
  const write = (text: string) =>
    [...Buffer.from(text)]
      .map((byte) => {
        const letter = String.fromCharCode(byte)
        return /[A-Za-z0-9._~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
      })
      .join('')
  return [...url.searchParams]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${write(name)}=${write(value)}`)
    .join('&')
}
