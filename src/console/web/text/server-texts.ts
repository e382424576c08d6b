import { declaredLabel } from '../session/session.ts'
import { number, word } from './format.ts'
import { patternOf } from './pattern.ts'
import { labelText, serverTexts, t } from './texts.ts'

/** A message of the server with the labels of declared fields. */
export function serverText(message: string): string {
  return inLanguage(message).replace(/\bmetadata\.\w+/g, (name) => declaredLabel(name) ?? name)
}

/** The server speaks English: a message in the user's language. In English if the catalogue does not have it. */
function inLanguage(message: string): string {
  for (const text of serverTexts) {
    const values = patternOf(text).exec(message)?.groups
    if (values)
      return t(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueText(name, value)])))
  }
  return labelText(message)
}

/** What of the server's sentences is in lower case within them. */
const lowered = ['key', 'things']

/** What varies in a message: a label, a number, or a name that users have chosen. */
function valueText(name: string, value: string): string {
  if (name === 'name') return value
  if (lowered.includes(name) && /^[a-z ]+$/.test(value)) return word(value)
  return /^-?\d{5,}$/.test(value) ? number(Number(value)) : labelText(value)
}
