import { createHash } from 'node:crypto'
import type { Kept, MemoryContents } from '../../content/memory.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { validationError } from '../../errors.ts'

const unknownType = 'application/octet-stream'
const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

/** Stores the content of a file of a seed file. Returns what its record says of it. Throws VALIDATION_ERROR. */
export function storeContent(contents: MemoryContents, workspaceId: number, body: JsonObject): Row {
  const { content_base64: text, media_type: type = unknownType } = body
  const bytes = Buffer.from(String(text), 'base64')
  if (typeof text !== 'string' || bytes.length === 0 || bytes.toString('base64') !== text.replace(/\s/g, '')) {
    const message = 'content_base64 must be the bytes of the file in Base64, at least one'
    throw validationError([invalid('content_base64', message, 'INVALID_FORMAT')])
  }
  if (typeof type !== 'string' || !mediaType.test(type)) {
    throw validationError([invalid('media_type', 'media_type must be like application/pdf', 'INVALID_FORMAT')])
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  contents.put({ workspaceId, sha256 }, bytes)
  return { media_type: type.toLowerCase(), bytes: bytes.length, sha256 }
}

/** The content of a file as a seed file has it. */
export function contentOf(kept: Kept, sha256: unknown): { content_base64?: string } {
  const found = [...kept].find(([name]) => name.endsWith(`/${sha256}`))
  return found ? { content_base64: found[1].toString('base64') } : {}
}
