import type { german } from '../german/index.ts'
import { language, locale } from './locale.ts'

/** The English text, which is also the key of its translations. */
export type Text = keyof typeof german
type Values = Readonly<Record<string, string | number>>

const catalogue = language === 'de' ? await import('../german/index.ts') : undefined
const translated: Readonly<Record<string, string>> | undefined = catalogue?.german
const plurals = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(locale)

/** A message of the server in the user's language, as far as the catalogue has it. */
export const messageText: (message: string) => string = catalogue?.inGerman ?? ((message) => message)

/** A text in the user's language. Each `{name}` is replaced by the value of that name. */
export function t(text: Text, values?: Values): string {
  return fill(translated?.[text] ?? text, values)
}

/** The form of a text for a number, which replaces `{n}`: `{n} row|{n} rows`. */
export function counted(text: Text, n: number, values?: Values): string {
  const [one, other] = t(text).split('|')
  return fill(plurals.select(n) === 'one' ? one! : other!, { ...values, n: numbers.format(n) })
}

/** The English labels, by the texts that were shown for them. */
const originals = new Map<string, string>()

/** The label of a resource, a field or an option, as the server names it in English. Labels that users have chosen stay. */
export function labelText(label: string): string {
  const text = translated?.[label] ?? label
  if (text !== label) originals.set(text, label)
  return text
}

/** A label within a sentence. It is in the user's language already: as a key, it could have another meaning (“Position”). */
export function noun(label: string): string {
  return translated ? label : label.toLowerCase()
}

/** A text about the thing with this label: `New {noun}`. A language may have a sentence of its own for each thing. */
export function about(text: Text, label: string, values?: Values): string {
  const original = originals.get(label) ?? label
  const whole = translated?.[text.replace('{noun}', original.toLowerCase())]
  return whole === undefined ? t(text, { noun: noun(label), ...values }) : fill(whole, values)
}

/** The parts of a text: those at odd places are names of values. */
export function partsOf(text: Text): string[] {
  return (translated?.[text] ?? text).split(/\{(\w+)\}/)
}

function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
