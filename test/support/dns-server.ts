import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

export type Zone = Readonly<Record<string, string | 'SERVFAIL' | 'silence'>>

/** TXT records by name, in lower case; the value `SERVFAIL` is that failure, `silence` no answer. It stops when the test ends. */
export async function startDns(
  t: Pick<TestContext, 'after'>,
  zone: Zone,
): Promise<{ address: string; asked: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    asked.push(`${name} ${type}`)
    const value = zone[name.toLowerCase()]
    if (value !== 'silence')
      socket.send(answerTo(query, end, type === txt ? value : undefined, value !== undefined), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

const txt = 16
const noSuchName = 3
const serverFailure = 2

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(query: Buffer, end: number, value: string | undefined, exists: boolean): Buffer {
  const code = value === 'SERVFAIL' ? serverFailure : exists ? 0 : noSuchName
  const record = value === undefined || code !== 0 ? undefined : recordOf(value)
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(record ? 1 : 0, 6)
  return Buffer.concat([head, query.subarray(12, end), ...(record ? [record] : [])])
}

/** A TXT record of the name that was asked for, in strings of at most 255 bytes. */
function recordOf(value: string): Buffer {
  const parts = value
    .match(/[\s\S]{1,255}/g)!
    .map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]))
  const data = Buffer.concat(parts)
  const head = Buffer.from([0xc0, 12, 0, txt, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
