import { currencyForm } from '../lib/currency.ts'
import { fold } from '../lib/text.ts'

/** Locales whose names and signs are read. In Canada `$` and `US$` are other currencies than in the United States, as `¥` is in China. */
const locales = ['en', 'de', 'en-CA', 'zh']

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

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
  const key = keyOf(cell)
  const code = key.toUpperCase()
  if (codes.has(code)) return [code] // most cells: no names are read for them
  known ??= readMeanings()
  const named = known.names.get(key) ?? known[by].get(key) ?? known.lastWords.get(key)
  return named ? [...named] : currencyForm.test(cell) ? [cell.toUpperCase()] : []
}

function readMeanings(): Meanings {
  const found: Meanings = { names: new Map(), lastWords: new Map(), usualSigns: new Map(), signs: new Map() }
  for (const locale of locales) {
    const display = new Intl.DisplayNames(locale, { type: 'currency' })
    for (const code of codes) {
      const name = keyOf(display.of(code)!)
      add(found.names, name, code)
      add(found.lastWords, name.split(' ').at(-1)!, code)
      const usual = keyOf(signOf(code, locale, 'symbol'))
      add(found.usualSigns, usual, code)
      add(found.signs, usual, code)
      add(found.signs, keyOf(signOf(code, locale, 'narrowSymbol')), code)
    }
  }
  return found
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
