import { ApiError } from '../../../errors.ts'
import type { Call } from '../call/route.ts'

interface Range {
  readonly begin: number
  /** The byte after the last one. */
  readonly end: number
}

/**
 * The one range that a request asks for; undefined: everything, also if it asks for several or in another way (RFC 9110). Throws
 * INVALID_REQUEST (416) for one that begins after the end.
 */
export function rangeOf({ range, ifRange }: Call['headers'], etag: string, bytes: number): Range | undefined {
  const [, first, last] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (ifRange !== undefined && ifRange !== etag) return undefined
  if (first === '') {
    if (Number(last) === 0 || bytes === 0) throw unsatisfiable(bytes)
    return { begin: Math.max(0, bytes - Number(last)), end: bytes }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= bytes) throw unsatisfiable(bytes)
  return { begin: Number(first), end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) }
}

function unsatisfiable(bytes: number): ApiError {
  const message = `The range begins after the end of the file, which has ${bytes} bytes`
  return new ApiError('INVALID_REQUEST', message, { status: 416, headers: { 'Content-Range': `bytes */${bytes}` } })
}
