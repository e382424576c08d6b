import { createHash, createHmac } from 'node:crypto'

/** The digest of an empty body. */
export const emptySha256 = createHash('sha256').digest('hex')

interface Signed {
  method: string
  /** Of unreserved characters and slashes only. */
  path: string
  query: Readonly<Record<string, string>>
  host: string
  /** Of the body, in hexadecimal digits. */
  sha256: string
  now: Date
}

export interface SigningKey {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The headers that authenticate a request to S3 (AWS Signature Version 4). */
export function signatureHeaders(
  { method, path, query, host, sha256, now }: Signed,
  { region, accessKeyId, secretAccessKey }: SigningKey,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers = { host, 'x-amz-content-sha256': sha256, 'x-amz-date': time }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [method, path, queryOf(query), lines.join(''), names, sha256].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const credential = `Credential=${accessKeyId}/${scope}`
  const signature = `Signature=${hmac(key, text).toString('hex')}`
  return { ...headers, authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, ${signature}` }
}

/** A query in the form that is signed and sent: sorted, with everything but unreserved characters escaped. */
export function queryOf(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .sort()
    .map((name) => `${escapeAll(name)}=${escapeAll(query[name]!)}`)
    .join('&')
}

function escapeAll(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
