import type { Resource } from '../../records/definition/resource.ts'

/** The formats of an export, by the media type that asks for it (decision K1). */
const formats = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'text/vcard': 'vcard',
} as const

type MediaType = keyof typeof formats
export type Format = (typeof formats)[MediaType]

const mediaTypes = Object.keys(formats) as MediaType[]

export function mediaTypeOf(format: Format): MediaType {
  return mediaTypes.find((type) => formats[type] === format)!
}

export const extensions: Readonly<Record<Format, string>> = { csv: 'csv', ndjson: 'ndjson', vcard: 'vcf' }

/** The formats of a list: people also as vCards. What belongs to one user is not exported. */
export function formatsOf({ isCard, ownedBy }: Resource): readonly Format[] {
  if (ownedBy !== undefined) return []
  return isCard ? Object.values(formats) : ['csv', 'ndjson']
}

/** The format that the client prefers to JSON. */
export function askedFormat(prefers: (type: string) => boolean, allowed: readonly Format[]): Format | undefined {
  const type = mediaTypes.find((each) => allowed.includes(formats[each]) && prefers(each))
  return type && formats[type]
}

export const formatNames: readonly Format[] = Object.values(formats)
