/** The schema name for `contact_email`: `ContactEmail`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** A label within a sentence: `an API key`. */
export function withArticle(label: string): string {
  return `${/^[aeio]/i.test(label) ? 'an' : 'a'} ${lower(label)}`
}

export function capitalized(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}

/** `Activities` for `Activity`, `Mail addresses` for `Mail address`. */
export function plural(label: string): string {
  if (/[^aeiou]y$/.test(label)) return `${label.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(label) ? `${label}es` : `${label}s`
}

/** In lower case within a sentence, except an abbreviation. */
export function lower(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label[0]!.toLowerCase() + label.slice(1)
}
