import { currencyForm } from '../lib/currency.ts'
import { fold } from '../lib/text.ts'

/** Locales whose names and signs are read: `US$` is Canadian. */
const locales = ['en', 'de', 'en-CA']

type Codes = Map<string, Set<string>>

/** Codes by whole names and signs, and by the last word of a name: `Dollar`. */
let meanings: { whole: Codes; last: Codes } | undefined

/** The codes that a code, a sign or a name of a currency may mean: `$` is that of many. Empty: it is none. */
export function currenciesOf(cell: string): readonly string[] {
  meanings ??= readMeanings()
  const key = keyOf(cell)
  const named = meanings.whole.get(key) ?? meanings.last.get(key)
  return named ? [...named] : currencyForm.test(cell) ? [cell.toUpperCase()] : []
}

/** The code of a currency by its sign or name. A code is returned unchanged, and so is what may mean several or none. */
export function readCurrency(cell: string): string {
  const [code, another] = currenciesOf(cell)
  const isCode = code === cell.toUpperCase()
  return code === undefined || another !== undefined || isCode ? cell : code
}

function readMeanings(): { whole: Codes; last: Codes } {
  const whole: Codes = new Map()
  const last: Codes = new Map()
  const codes = Intl.supportedValuesOf('currency')
  for (const locale of locales) {
    const names = new Intl.DisplayNames(locale, { type: 'currency' })
    for (const code of codes) {
      const name = keyOf(names.of(code)!)
      add(whole, name, code)
      add(last, name.split(' ').at(-1)!, code)
      for (const form of ['symbol', 'narrowSymbol'] as const) add(whole, keyOf(signOf(code, locale, form)), code)
    }
  }
  for (const code of codes) whole.set(keyOf(code), new Set([code]))
  return { whole, last }
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
