import { ApiError } from '../../../errors.ts'
import type { Resource } from '../../records/definition/resource.ts'

/** The formats of an export, by the media type that asks for it (decision K1). */
const formats = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'text/vcard': 'vcard',
} as const

const jsonType = 'application/json'

type MediaType = keyof typeof formats
export type Format = (typeof formats)[MediaType]

const mediaTypes = Object.keys(formats) as MediaType[]

export function mediaTypeOf(format: Format): MediaType {
  return mediaTypes.find((type) => formats[type] === format)!
}

export const extensions: Readonly<Record<Format, string>> = { csv: 'csv', ndjson: 'ndjson', vcard: 'vcf' }

/** The formats of a list: people also as vCards. What belongs to one user is not exported. */
export function formatsOf({ isCard, offers, ownedBy }: Resource): readonly Format[] {
  if (ownedBy !== undefined || !offers.files) return []
  return isCard ? Object.values(formats) : ['csv', 'ndjson']
}

/** The format that the client prefers to JSON. */
export function askedFormat(prefers: (type: string) => boolean, allowed: readonly Format[]): Format | undefined {
  const type = mediaTypes.find((each) => allowed.includes(formats[each]) && prefers(each))
  return type && formats[type]
}

/** Throws INVALID_REQUEST with the status 406 if a client that accepts no JSON asks for a format that a list does not have. */
export function requireFormat(accepts: (type: string) => boolean, allowed: readonly Format[], what: string): void {
  const wanted = mediaTypes.filter(accepts)
  if (wanted.length === 0 || accepts(jsonType)) return
  const there = [jsonType, ...allowed.map(mediaTypeOf)].join(', ')
  const message = `There are no ${what} as ${wanted.join(' or ')}: accept ${there}`
  throw new ApiError('INVALID_REQUEST', message, { status: 406 })
}

export const formatNames: readonly Format[] = Object.values(formats)
