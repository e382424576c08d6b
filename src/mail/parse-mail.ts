import { createReadStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AttachmentStream, type Headers, MailParser } from 'mailparser'
import { nameOf } from './attachment-name.ts'
import { attachmentsMax, bodyBytesMax, headerLinesMax, levelsMax, Refusal } from './bounds.ts'
import { type Head, readHead, repairedHead } from './head.ts'
import { type KeptBody, keepBody, keepFile } from './keep.ts'
import type { ReadAttachment } from './mail.ts'

/** A part that is text to read. */
export interface Body extends KeptBody {
  readonly type: 'text/plain' | 'text/html'
  readonly charset: string | undefined
  readonly isFlowed: boolean
  readonly deletesSpace: boolean
  /** Whether it is inside a multipart/alternative. */
  readonly isAlternative: boolean
}

export interface Attachment extends ReadAttachment {
  /** Without its angle brackets. */
  readonly contentId: string | undefined
  /** A message that is attached, but not returned to its sender. */
  readonly isMessage: boolean
}

export interface Parsed {
  readonly head: Head
  /** As `mailparser` reads them. */
  readonly headers: Headers
  readonly bodies: readonly Body[]
  readonly attachments: readonly Attachment[]
}

/** Where temporary files are. Each is noted before it is created, so that it can be removed. */
export interface Files {
  next(): string
}

/** A node of `mailparser`, whose types leave it out. */
interface Node {
  contentType: string | false
  headers: Headers
  parent?: Node
}

interface SplitNode {
  headers: { lines: readonly { line: string }[] }
  parentNode: SplitNode | false
}

interface Internals {
  createNode(node: SplitNode): Node
  textTypes: string[]
}

const skipped = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  ignoreEmbedded: true,
  checksumAlgo: false,
} as const

/** Reads the parts of a message one after the other; only text stays in memory. Throws Refusal beyond the bounds (decision P8). */
export async function parseMail(file: string, files: Files, level = 0): Promise<Parsed> {
  const head = await readHead(file)
  const parser = new MailParser(skipped)
  const nodes = watchNodes(parser, level)
  const feeding = pipeline(Readable.from(sourceOf(file, head)), parser)
  feeding.catch(() => undefined) // the loop below throws the same error
  const bodies: Body[] = []
  const attachments: Attachment[] = []
  let left = bodyBytesMax
  for await (const part of parser as AsyncIterable<AttachmentStream | { type: 'text' }>) {
    if (part.type !== 'attachment') continue
    const node = nodes.get(part.headers)
    const body = bodyTypeOf(part, bodies.length === 0)
    if (body) {
      const kept = await keepBody(part.content, left)
      left -= kept.bytes.length
      bodies.push({ ...bodyOf(part, body, node), ...kept })
    } else {
      if (attachments.length === attachmentsMax)
        throw new Refusal(`The message has more than ${attachmentsMax} attachments`)
      attachments.push(await attachmentOf(part, node, files, attachments.length))
    }
    part.release?.()
  }
  return { head, headers: parser.headers || new Map(), bodies, attachments }
}

/**
 * Throws Refusal if messages that are attached to one another are too deep. What it needs for that is removed as soon as it has been read: each
 * level is as large as the one around it.
 */
export async function checkLevels(attached: readonly Attachment[], files: Files, level = 1): Promise<void> {
  for (const { file, mediaType } of attached) {
    const isMessage = mediaType === 'message/rfc822'
    if (isMessage && level > levelsMax) throw tooDeep()
    const { attachments } = isMessage
      ? await parseMail(file, files, level).catch(ignoreUnlessDeep)
      : { attachments: [] }
    if (level > 1) await unlink(file)
    await checkLevels(attachments, files, level + 1)
  }
}

/** What is attached need not be readable. */
function ignoreUnlessDeep(error: unknown): { attachments: readonly Attachment[] } {
  if (error instanceof Refusal && error.message !== tooDeep().message) return { attachments: [] }
  throw error
}

async function* sourceOf(file: string, head: Head): AsyncGenerator<Buffer> {
  yield repairedHead(head)
  yield* createReadStream(file, { start: head.bodyAt, highWaterMark: 262_144 })
}

/** Has every part delivered as a stream, and the nodes by their headers. Ends the parser beyond the bounds. */
function watchNodes(parser: MailParser, level: number): Map<Headers, Node> {
  const nodes = new Map<Headers, Node>()
  const internals = parser as unknown as Internals
  internals.textTypes = []
  const create = internals.createNode.bind(parser)
  internals.createNode = (split) => {
    const node = create(split)
    nodes.set(node.headers, node)
    const { lines } = split.headers
    if (lines.length > headerLinesMax)
      parser.destroy(new Refusal(`A part has more than ${headerLinesMax} header lines`))
    if (level + levelOf(split) > levelsMax) parser.destroy(tooDeep())
    return node
  }
  parser.once('error', () => undefined)
  return nodes
}

function levelOf({ parentNode }: SplitNode): number {
  let level = 0
  for (let parent = parentNode; parent; parent = parent.parentNode) level += 1
  return level
}

function tooDeep(): Refusal {
  return new Refusal(`The parts of the message are more than ${levelsMax} levels deep`)
}

/** The type of a part that is read as text; undefined for an attachment. */
function bodyTypeOf(part: AttachmentStream, isFirst: boolean): Body['type'] | undefined {
  const { contentType, contentDisposition: disposition, filename } = part
  if (contentType !== 'text/plain' && contentType !== 'text/html') return undefined
  if (disposition && disposition !== 'inline') return undefined
  return filename && !isFirst ? undefined : contentType
}

function bodyOf({ headers }: AttachmentStream, type: Body['type'], node: Node | undefined): Omit<Body, keyof KeptBody> {
  const params = (headers.get('content-type') as { params?: Record<string, string> } | undefined)?.params ?? {}
  const isFlowed = type === 'text/plain' && params.format?.toLowerCase() === 'flowed'
  return {
    type,
    charset: params.charset,
    isFlowed,
    deletesSpace: isFlowed && params.delsp?.toLowerCase() === 'yes',
    isAlternative: isInside(node, 'multipart/alternative'),
  }
}

async function attachmentOf(
  part: AttachmentStream,
  node: Node | undefined,
  files: Files,
  index: number,
): Promise<Attachment> {
  const mediaType = mediaTypeOf(part.contentType)
  const file = files.next()
  const kept = await keepFile(part.content, file)
  return {
    name: nameOf(part.filename || undefined, mediaType, index),
    mediaType,
    ...kept,
    file,
    contentId: part.cid?.slice(0, 500),
    isMessage: mediaType === 'message/rfc822' && !isInside(node, 'multipart/report'),
  }
}

function mediaTypeOf(type: string | false | undefined): string {
  const plain = (type || '').toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(plain) ? plain : 'application/octet-stream'
}

function isInside(node: Node | undefined, type: string): boolean {
  for (let parent = node?.parent; parent; parent = parent.parent) if (parent.contentType === type) return true
  return false
}
