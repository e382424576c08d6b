import type { Image } from './image.ts'

/** An image in one buffer: a line of JSON, then the database. */
export function packImage({ bytes, ...rest }: Image): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), bytes])
}

export function unpackImage(packed: Buffer): Image {
  const end = packed.indexOf('\n')
  return { ...JSON.parse(packed.toString('utf8', 0, end)), bytes: packed.subarray(end + 1) }
}
