import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { namesIn, syncDirectory, unlessMissing, writeAll } from '../../content/disk.ts'
import { ApiError, bodyTooLarge } from '../../errors.ts'
import { rawBytesMax } from '../../mail/bounds.ts'
import type { Reader } from '../../store/reader.ts'
import { lookupMailAddress } from './lookup-address.ts'

/** The directory of accepted messages that wait for delivery, below that of a server's mail. */
export function spoolIn(mailDirectory: string): string {
  return join(mailDirectory, 'in')
}

/** The files of the messages that wait for the addresses of a company. Those that arrive meanwhile may be left out. */
export async function listWaiting(mailDirectory: string, access: Reader, companyId: string): Promise<string[]> {
  const directory = spoolIn(mailDirectory)
  const waiting: string[] = []
  for (const name of await namesIn(directory, /\.eml$/)) {
    const address = await readFile(join(directory, name.replace(/eml$/, 'to')), 'utf8').catch(unlessMissing)
    if (address !== undefined && lookupMailAddress(access, address)?.companyId === companyId)
      waiting.push(join(directory, name))
  }
  return waiting
}

/** Writes a message with its address. Resolves with its length when it is on disk. Throws INVALID_REQUEST (413). */
export async function writeMessage(
  directory: string,
  id: string,
  source: AsyncIterable<Buffer>,
  address: string,
): Promise<number> {
  const [raw, to, part] = namesOf(id).map((name) => join(directory, name)) as [string, string, string]
  const made = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncParents(directory, dirname(made))
  await writeWhole(to, [Buffer.from(address)])
  const bytes = await writeWhole(part, source)
  await link(part, raw)
  await rm(part)
  await syncDirectory(directory)
  return bytes
}

/** Resolves when the entries of a new directory, and of those around it up to `last`, are on disk. */
async function syncParents(directory: string, last: string): Promise<void> {
  for (let parent = dirname(directory); ; parent = dirname(parent)) {
    await syncDirectory(parent)
    if (parent === last) return
  }
}

/** The names of a message's files in the spool: the raw message, its address, and the message while it arrives. */
export function namesOf(id: string): string[] {
  return [`${id}.eml`, `${id}.to`, `${id}.part`]
}

/** Resolves with the length when it is on disk. Throws INVALID_REQUEST (413), and for an empty message. */
export async function writeWhole(path: string, source: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const part of source) {
      bytes += part.length
      if (bytes > rawBytesMax) throw bodyTooLarge(rawBytesMax)
      await writeAll(file, part)
    }
    if (bytes === 0) throw new ApiError('INVALID_REQUEST', 'The body is the message: it must not be empty')
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}
