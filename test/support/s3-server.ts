import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { faultOfSignature } from './s3-signature.ts'

/** How a request goes wrong: with a status; without an answer; done, but without an answer; half an answer; other bytes; or byte by byte. */
export type S3Fault = number | 'reset' | 'lost' | 'half' | 'wrong' | 'slow'

export interface S3Asked {
  method: string
  /** Below the bucket. */
  key: string
  range: string | undefined
}

export interface S3Server {
  /** Variables that let Kontor use it, with the prefix `kontor/files`. */
  env: Record<string, string>
  endpoint: string
  objects: Map<string, { bytes: Buffer; storedMs: number }>
  /** What was asked so far. */
  asked: S3Asked[]
  /** What was refused because no client may send it. */
  refused: string[]
  /** How many connections were opened so far. */
  connections: number
  /** Decides about each request whether it goes wrong, perhaps later. */
  fault: (asked: S3Asked) => S3Fault | undefined | Promise<S3Fault | undefined>
  close(): Promise<void>
}

export const bucket = 'team-files'
export const s3Keys = { region: 'eu-test-1', accessKeyId: 'AKTEST', secretAccessKey: 'secret/with+signs=' }
/** So few that a list has several pages. */
const pageSize = 3

/** An S3 server in memory that is stricter than real ones: it checks the signature, the digest and every header of each request. */
export async function startS3(t: Pick<TestContext, 'after'>): Promise<S3Server> {
  const server = createServer((req, res) => void serve(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  t.after(close)
  const s3: S3Server = {
    ...{ endpoint, close, connections: 0, asked: [], refused: [], objects: new Map(), fault: () => undefined },
    env: {
      KONTOR_FILES: `s3://${bucket}/kontor/files`,
      KONTOR_S3_ENDPOINT: endpoint,
      KONTOR_S3_REGION: s3Keys.region,
      KONTOR_S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      KONTOR_S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    },
  }
  server.on('connection', () => {
    s3.connections++
  })
  return s3

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url!, endpoint)
    const [, place, ...path] = url.pathname.split('/')
    const asked = { method: req.method!, key: path.join('/'), range: req.headers.range }
    s3.asked.push(asked)
    const fault = await s3.fault(asked)
    if (fault === 'reset') return void req.socket.destroy()
    if (typeof fault === 'number') return refuse(res, fault, 'InternalError')
    const body = await bodyOf(req).catch(() => undefined)
    if (!body) return
    const wrong = wrongIn(req, url, body)
    if (wrong !== undefined) {
      s3.refused.push(wrong)
      return refuse(res, 403, 'SignatureDoesNotMatch', wrong)
    }
    if (place !== bucket) return refuse(res, 404, 'NoSuchBucket')
    answer({ s3, asked, url, body, fault, req, res })
  }
}

interface Exchange {
  s3: S3Server
  asked: S3Asked
  url: URL
  body: Buffer
  fault: S3Fault | undefined
  req: IncomingMessage
  res: ServerResponse
}

function answer({ s3, asked, url, body, fault, req, res }: Exchange): void {
  const { method, key, range } = asked
  if (method === 'GET' && key === '') {
    sendList(s3, url.searchParams, res)
    return
  }
  if (method === 'PUT') s3.objects.set(key, { bytes: body, storedMs: Date.now() })
  if (method === 'DELETE') s3.objects.delete(key)
  if (fault === 'lost') return void req.socket.destroy()
  if (method === 'PUT') return void res.writeHead(200, { ETag: '"x"' }).end()
  if (method === 'DELETE') return void res.writeHead(204).end()
  const bytes = s3.objects.get(key)?.bytes
  if (!bytes) {
    refuse(res, 404, 'NoSuchKey')
    return
  }
  if (method === 'HEAD') return void res.writeHead(200, { 'Content-Length': bytes.length }).end()
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const [begin, end] = [Number(first ?? 0), last === undefined ? bytes.length : Number(last) + 1]
  const position = { 'Content-Range': `bytes ${begin}-${end - 1}/${bytes.length}` }
  res.writeHead(range ? 206 : 200, { 'Content-Length': end - begin, ...(range && position) })
  void sendBytes(req, res, Buffer.from(bytes.subarray(begin, end)), fault)
}

async function sendBytes(req: IncomingMessage, res: ServerResponse, bytes: Buffer, fault: S3Fault | undefined) {
  if (fault === 'wrong') bytes[bytes.length - 1]! ^= 1
  if (fault === 'half') {
    res.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => req.socket.destroy())
    return
  }
  if (fault === 'slow')
    for (const byte of bytes) await new Promise<void>((done) => res.write(Buffer.of(byte), () => done()))
  res.end(fault === 'slow' ? undefined : bytes)
}

function sendList({ objects }: S3Server, query: URLSearchParams, res: ServerResponse): void {
  const prefix = query.get('prefix') ?? ''
  const after = /^<(.*)&$/.exec(query.get('continuation-token') ?? '')?.[1] ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, pageSize)
  const contents = page.map((key) => {
    const { bytes, storedMs } = objects.get(key)!
    const time = new Date(storedMs).toISOString()
    return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${time}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const next =
    keys.length > pageSize ? `<NextContinuationToken>${escapeXml(`<${page.at(-1)}&`)}</NextContinuationToken>` : ''
  const text = `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${contents.join('\n')}${next}</ListBucketResult>`
  res.writeHead(200, { 'Content-Type': 'application/xml' }).end(text)
}

/** What no client of S3 may do; undefined: nothing is wrong. */
function wrongIn(req: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const { headers } = req
  const odd = Object.keys(headers).filter((name) =>
    /^(accept-encoding|transfer-encoding|x-amz-(checksum|sdk).*)$/.test(name),
  )
  if (odd.length > 0) return `the header ${odd[0]}`
  if (req.method === 'PUT' && headers['content-length'] !== String(body.length)) return 'no Content-Length'
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return 'another digest'
  return faultOfSignature(req, url, s3Keys)
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of req) parts.push(part)
  return Buffer.concat(parts)
}

function refuse(res: ServerResponse, status: number, code: string, message = ''): void {
  res.writeHead(status, { 'Content-Type': 'application/xml', Connection: 'close' })
  res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`)
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
