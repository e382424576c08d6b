import { labelText } from './texts.ts'

/** The types of emails and phones that have a name in the user's language. They are values that users can also write themselves. */
const known = ['work', 'personal', 'mobile', 'home', 'office', 'main', 'fax', 'other']

/** The type of an email or phone within a sentence. A word such as “home” has another meaning elsewhere, so it has a key of its own. */
export function itemTypeText(type: string): string {
  const key = `${type} (type)`
  const text = known.includes(type) ? labelText(key) : key
  return text === key ? type : text
}

/** The type that a user means by a text. */
export function itemTypeOf(text: string): string {
  return known.find((type) => itemTypeText(type).toLowerCase() === text.trim().toLowerCase()) ?? text
}
