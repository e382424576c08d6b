import type { Ctx } from './exchange.ts'

const jsonType = 'application/json'

/** Whether the client accepts a media type (RFC 9110, 12.5.1). Parameters, such as a charset, make no difference. */
export function accepts({ req, state }: Ctx, type: string): boolean {
  if (state.isInner || req.headers.accept === undefined) return type === jsonType
  return matchOf(rangesOf(req.headers.accept), type) !== undefined
}

/** Whether the client prefers a media type to JSON. */
export function prefers({ req, state }: Ctx, type: string): boolean {
  const { accept } = req.headers
  if (state.isInner || !mayPrefer(accept)) return false
  const ranges = rangesOf(accept!)
  const [wanted, json] = [matchOf(ranges, type), matchOf(ranges, jsonType)]
  return wanted !== undefined && (json === undefined || rankOf(wanted, json) < 0)
}

/** A media type of the header, or a range of them. */
interface Range {
  /** `text/csv`, `text/*` */
  name: string
  weight: number
  place: number
}

function rangesOf(header: string): Range[] {
  return header.split(',').map((text, place) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((each) => /^q\s*=/.test(each))?.replace(/^q\s*=\s*/, '')
    return { name, weight: weight === undefined ? 1 : Number(weight) || 0, place }
  })
}

/** The most specific range that has a type; undefined: the client does not accept it. */
function matchOf(ranges: readonly Range[], type: string): Range | undefined {
  const names = [type, type.replace(/\/.*/, '/*'), '*/*']
  const found = names.map((name) => ranges.find((range) => range.name === name)).find((range) => range !== undefined)
  return found && found.weight > 0 ? found : undefined
}

/** Negative if the first is preferred: by its weight, as the more specific one, or because it comes first. Types of one range are equal. */
function rankOf(a: Range, b: Range): number {
  return b.weight - a.weight || wildcardsOf(a) - wildcardsOf(b) || a.place - b.place
}

function wildcardsOf({ name }: Range): number {
  return name.split('*').length
}

/** Weights, ranges such as `text/*`, and the types that the API has besides JSON. */
const others = /;|\w\/\*|csv|ndjson|vcard|event-stream/i
const json = /\*\/\*|application\/json/i

/** Whether a client with this header may prefer anything to JSON. False for most headers, without reading them completely. */
export function mayPrefer(accept: string | undefined): boolean {
  return accept !== undefined && (others.test(accept) || !json.test(accept))
}
