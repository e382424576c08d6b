import { labelText, serverTexts, type Text, t } from './texts.ts'

/** A message of the server, which speaks English, in the user's language. In English if the catalogue does not have it. */
export function serverText(message: string): string {
  for (const text of serverTexts) {
    const values = patternOf(text).exec(message)?.groups
    if (values)
      return t(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, labelText(value)])))
  }
  return labelText(message)
}

/** `{label} is required` as the pattern of every message of this form. */
function patternOf(text: Text): RegExp {
  const parts = text
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 1 ? `(?<${part}>.+)` : part.replace(/[.:]/g, '\\$&')))
  return new RegExp(`^${parts.join('')}$`)
}
