import { patternOf } from './pattern.ts'
import { labelText, serverTexts, t } from './texts.ts'

/** A message of the server, which speaks English, in the user's language. In English if the catalogue does not have it. */
export function serverText(message: string): string {
  for (const text of serverTexts) {
    const values = patternOf(text).exec(message)?.groups
    if (values)
      return t(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, labelText(value)])))
  }
  return labelText(message)
}
