import type { Readable } from 'node:stream'

const newline = 0x0a

/** The lines of a stream without their ends; undefined for one that is longer than `bytesMax`, whose bytes are dropped. */
export async function* linesOf(input: Readable, bytesMax: number): AsyncIterable<string | undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  const take = () => {
    const line = bytes > bytesMax ? undefined : Buffer.concat(parts).toString()
    parts = []
    bytes = 0
    return line
  }
  const add = (part: Buffer) => {
    bytes += part.length
    if (bytes <= bytesMax) parts.push(part)
    else parts = []
  }
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    add(chunk.subarray(from))
  }
  if (bytes > 0) yield take()
}
