import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

const types = { 1: 'A', 28: 'AAAA' } as const
type RecordType = (typeof types)[keyof typeof types]
/** Addresses as bytes, an error code of DNS, or no answer at all. */
export type Answer = number[][] | number | undefined

/** Starts a name server that gives these answers for every name. Returns its address with its port. */
export async function nameServerAt(t: TestContext, answers: Partial<Record<RecordType, Answer>>): Promise<string> {
  const socket = createSocket('udp4').on('message', (asked, { port, address }) => {
    const end = asked.indexOf(0, 12) + 5
    const answer = answers[types[asked.readUInt16BE(end - 4) as keyof typeof types]]
    if (answer !== undefined) socket.send(reply(asked.subarray(0, end), answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function reply(question: Buffer, answer: number[][] | number): Buffer {
  const records = typeof answer === 'number' ? [] : answer
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.fill(0, 8, 12)
  const type = question.subarray(-4)
  const data = records.map((bytes) => Buffer.from([0xc0, 12, ...type, 0, 0, 0, 60, 0, bytes.length, ...bytes]))
  return Buffer.concat([head, ...data])
}
