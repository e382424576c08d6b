import { get } from './http.ts'

/** A result of the search over all resources (decision J1). */
export interface Found {
  type: string
  id: string
  title: string
  subtitle: string | null
  /** The fields with the words that were searched for, and their texts. */
  matched: { field: string; text: string }[]
}

/** What matched, unless the title or the subtitle shows it: `+49 431 5550 17`. */
export function matchedText({ title, subtitle, matched }: Found): string | undefined {
  const shown = `${title}\n${subtitle ?? ''}`
  return matched.find(({ text }) => !shown.includes(text))?.text
}

/** The most characters of a search box, whose text is part of the address. */
export const typedMax = 500

/** The most that a search takes. */
const lengthMax = 200
const wordsMax = 10

/** The first words of a text as `q` of a search or a list, without the punctuation between them (`Weber, Ada`); '' if it has none. */
export function queryOf(text: string): string {
  const words = text.trim().split(/\s+/)
  const plain = words.map((word) => word.replace(/^[,;]+|[,;]+$/g, '')).filter((word) => word !== '')
  const q = (plain.length > 0 ? plain : words).slice(0, wordsMax).join(' ')
  return [...q].slice(0, lengthMax).join('')
}

/** Finds the records that a text fits best; none for an empty text. */
export async function find(text: string, query: Record<string, string>, signal: AbortSignal): Promise<Found[]> {
  const q = queryOf(text)
  return q === '' ? [] : get<Found[]>(`/api-v1-search?${new URLSearchParams({ q, ...query })}`, signal)
}
