import { survives } from '../../../lib/exact-json.ts'
import { Invalid } from './invalid.ts'
import { locale } from './locale.ts'
import { t } from './texts.ts'

const parts = new Intl.NumberFormat(locale).formatToParts(-1_234_567.8)
const localGroup = parts.find(({ type }) => type === 'group')?.value
const separators = /[.,]/g
/** Spaces and apostrophes can only separate groups: `12 500`, `12’500`. */
const groupMarks = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g

/**
 * Parses a number as people write it: `12500`, `12,500.50`, `12.500,50`, `12 500,5`, `-3`. The last separator is the decimal one where
 * both occur; one that occurs twice separates groups. A single one followed by three digits separates groups if it does in the user's locale;
 * otherwise the text is ambiguous. Empty text is null.
 */
export function parseDecimal(given: string): number | null | Invalid {
  const exact = parseExactDecimal(given)
  if (exact === null || exact instanceof Invalid) return exact
  return survives(exact) ? Number(exact) : new Invalid(given, t('The number has more digits than can be stored'))
}

/** The text of a number of percent without the sign: `19` for `19 %`. */
export function withoutPercentSign(text: string): string {
  return text.replace(/(?<=\d)\s*%\s*$/, '')
}

/** Like `parseDecimal`, but returns the number as JSON writes it, with all its digits. */
export function parseExactDecimal(given: string): string | null | Invalid {
  const text = given.trim()
  if (text === '') return null
  const plain = text.replace('−', '-').replace(groupMarks, '')
  if (!/^-?[\d.,]*\d[\d.,]*$/.test(plain)) {
    return new Invalid(
      given,
      t('Enter a number such as {decimal}, without letters or a currency', { decimal: decimalText(12500.5) }),
    )
  }
  const normal = normalized(plain)
  if (normal === undefined)
    return new Invalid(
      given,
      t('The separators do not fit: enter a number such as {decimal}', { decimal: decimalText(12500.5) }),
    )
  if (normal === 'ambiguous') return new Invalid(given, ambiguity(plain))
  return normal
    .replace(/^(-?)\./, '$10.') // `.5`
    .replace(/\.$/, '') // `12.`
    .replace(/^(-?)0+(?=\d)/, '$1') // `007`, which JSON does not allow
}

/**
 * A number, or its digits, as `parseDecimal` reads it, in the user's locale: without groups, and never with three decimals, which would be
 * ambiguous.
 */
export function decimalText(value: number | string): string {
  const decimals = /\.(\d+)/.exec(String(value))?.[1]?.length ?? 0
  const shown = decimals === 0 ? 0 : decimals === 3 ? 4 : Math.max(2, Math.min(decimals, 20))
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    numberingSystem: 'latn',
    minimumFractionDigits: shown,
    maximumFractionDigits: 20,
  }).format(value as number) // digits as text are exact, too
}

/** Converts a text to one with a decimal point and no groups; undefined if it is not a number. */
function normalized(text: string): string | 'ambiguous' | undefined {
  const found = text.match(separators) ?? []
  const last = found.at(-1)
  if (last === undefined) return text
  const kinds = new Set(found).size
  if (kinds === 1 && found.length > 1) return ungrouped(text, last)
  const [whole, decimals] = [text.slice(0, text.lastIndexOf(last)), text.slice(text.lastIndexOf(last) + 1)]
  if (kinds === 2) {
    const group = last === '.' ? ',' : '.'
    const digits = ungrouped(whole, group)
    return digits === undefined || whole.includes(last) ? undefined : `${digits}.${decimals}`
  }
  const mayGroup = /^-?[1-9]\d{0,2}$/.test(whole) && decimals.length === 3
  if (!mayGroup) return `${whole}.${decimals}`
  return last === localGroup ? whole + decimals : 'ambiguous'
}

/** Removes the separators of groups; undefined unless each group has three digits. */
function ungrouped(text: string, group: string): string | undefined {
  const [first, ...groups] = text.split(group)
  const fits = /^-?\d{1,3}$/.test(first!) && groups.every((digits) => /^\d{3}$/.test(digits))
  return fits ? text.replaceAll(group, '') : undefined
}

function ambiguity(text: string): string {
  const [whole, decimals] = text.split(/[.,]/) as [string, string]
  const asDecimal = decimalText(Number(`${whole}.${decimals}`))
  return t('This may mean {asDecimal} or {whole}{decimals}: enter one of them', { asDecimal, whole, decimals })
}
