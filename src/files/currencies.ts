import { currencyForm } from '../lib/currency.ts'
import { fold } from '../lib/text.ts'

/** Locales whose names and signs are read. In Canada `$` and `US$` are other currencies than in the United States, as `¥` is in China. */
const locales = ['en', 'de', 'en-CA', 'zh']

type Codes = Map<string, Set<string>>

interface Meanings {
  names: Codes
  /** The last words of names: `Dollar`. */
  lastWords: Codes
  /** Those by which a currency is known in one of the locales: `£` is that of the British pound only. */
  usualSigns: Codes
  /** Also those that are used where a currency is at home. */
  signs: Codes
}

let known: Meanings | undefined

/** The codes that a code, a sign or a name of a currency may mean: `$` is that of many. Empty: it is none. */
export function currenciesOf(cell: string): readonly string[] {
  return meaningsOf(cell, 'signs')
}

/** The code of a currency by its sign or name. A code is returned unchanged, and so is what may mean several or none. */
export function readCurrency(cell: string): string {
  const [code, another] = meaningsOf(cell, 'usualSigns')
  const isCode = code === cell.toUpperCase()
  return code === undefined || another !== undefined || isCode ? cell : code
}

function meaningsOf(cell: string, by: 'signs' | 'usualSigns'): readonly string[] {
  known ??= readMeanings()
  const key = keyOf(cell)
  const named = known.names.get(key) ?? known[by].get(key) ?? known.lastWords.get(key)
  return named ? [...named] : currencyForm.test(cell) ? [cell.toUpperCase()] : []
}

function readMeanings(): Meanings {
  const [names, lastWords, usualSigns, signs]: [Codes, Codes, Codes, Codes] = [
    new Map(),
    new Map(),
    new Map(),
    new Map(),
  ]
  const codes = Intl.supportedValuesOf('currency')
  for (const locale of locales) {
    const display = new Intl.DisplayNames(locale, { type: 'currency' })
    for (const code of codes) {
      const name = keyOf(display.of(code)!)
      add(names, name, code)
      add(lastWords, name.split(' ').at(-1)!, code)
      const [usual, narrow] = (['symbol', 'narrowSymbol'] as const).map((form) => keyOf(signOf(code, locale, form)))
      add(usualSigns, usual!, code)
      add(signs, usual!, code)
      add(signs, narrow!, code)
    }
  }
  for (const code of codes) names.set(keyOf(code), new Set([code]))
  return { names, lastWords, usualSigns, signs }
}

function signOf(currency: string, locale: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')!.value
}

function add(codes: Codes, key: string, code: string): void {
  codes.set(key, (codes.get(key) ?? new Set()).add(code))
}

/** `US-Dollars` is `us dollar`. Codes and short signs keep their `s`. */
function keyOf(name: string): string {
  const words = fold(name)
    .replace(/[\s-]+/g, ' ')
    .trim()
  return words.length > 3 ? words.replace(/s$/, '') : words
}
