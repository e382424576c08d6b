import type { Detail } from '../../../errors.ts'
import { isWithin, type PhoneForms } from '../../../lib/text.ts'
import { invalid } from '../../records/definition/faults.ts'
import { readWords, type SearchQuery } from './words.ts'

export const queryLengthMax = 200
export const wordsMax = 10

/** Reads `q`. Adds what is wrong with it to `details`. */
export function readQueryText(q: string | undefined, phones: PhoneForms, details: Detail[]): SearchQuery | undefined {
  const fits = q !== undefined && isWithin(q.trim(), queryLengthMax)
  const query = fits ? readWords(q, wordsMax, phones) : undefined
  const message = `q must be 1 to ${queryLengthMax} characters in at most ${wordsMax} words`
  if (!query) details.push(invalid('q', message, q === undefined ? 'REQUIRED' : fits ? 'INVALID_VALUE' : 'TOO_LONG'))
  return query
}
