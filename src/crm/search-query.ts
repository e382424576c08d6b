import { parseWhole, readParameters } from '../engine/finding/query/parameters.ts'
import { readQueryText } from '../engine/finding/search/query-text.ts'
import type { SearchQuery } from '../engine/finding/search/words.ts'
import { invalid, oneOf, quote } from '../engine/records/definition/faults.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { type Detail, validationError } from '../errors.ts'
import type { PhoneForms } from '../lib/text.ts'

export const limitMax = 50
export const limitDefault = 10

interface Asked {
  query: SearchQuery
  /** The names of the resources; undefined: all. */
  types: string[] | undefined
  limit: number
}

/** Reads the query string of a search. Throws VALIDATION_ERROR with every invalid parameter. */
export function readSearchQuery(resources: readonly Resource[], queryString: string, phones: PhoneForms): Asked {
  const details: Detail[] = []
  const given = readParameters(queryString, ['q', 'types', 'limit'], details)
  const query = readQueryText(given.get('q'), phones, details)
  const types = readTypes(resources, given.get('types'), details)
  const limit = readLimit(given.get('limit'), details)
  if (!query || details.length > 0) throw validationError(details)
  return { query, types, limit }
}

function readTypes(resources: readonly Resource[], text: string | undefined, details: Detail[]): string[] | undefined {
  if (text === undefined) return undefined
  const known = resources.map(({ name }) => name)
  const types = text.split(',').map((type) => type.trim())
  for (const type of types) {
    if (!known.includes(type)) details.push(invalid('types', oneOf(`There is no type ${quote(type)}`, known)))
  }
  return types
}

/** Values above the maximum are clamped (decision C1). */
function readLimit(text: string | undefined, details: Detail[]): number {
  if (text === undefined) return limitDefault
  return Math.min(parseWhole('limit', text, 1, details) ?? limitDefault, limitMax)
}
