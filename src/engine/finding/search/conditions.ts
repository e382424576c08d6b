import { placeOfStart } from '../../../lib/word-starts.ts'
import type { Condition } from '../../records/definition/filter.ts'
import { anyOf } from '../../records/kinds/filters.ts'
import type { TargetField } from './target.ts'
import { inForm, type Word } from './words.ts'

/** A condition on a name, which begins with one of these words. */
export function beginning({ key, form }: TargetField, words: readonly Word[]): Condition {
  return beginningWith(
    key,
    words.map((word) => inForm(word, form)),
  )
}

function beginningWith(key: string, prefixes: readonly string[]): Condition {
  const sql = prefixes.map(() => `(${key} >= ? AND ${key} < ?)`).join(' OR ')
  return { sql: `(${sql})`, params: prefixes.flatMap((prefix) => [prefix, `${prefix}\u{10ffff}`]) }
}

/** A condition on a field, in which a word begins with a short one. */
export function starting(field: TargetField, word: Word): Condition {
  const text = inForm(word, field.form)
  if (field.options) return oneOf(field, field.options, (option) => placeOfStart(option, text) !== -1)
  const begins = { sql: `begins_word(${field.key}, ?)`, params: [text] }
  if (field.form === 'unfolded') return begins
  return { sql: `(instr(${field.key}, ?) > 0 AND ${begins.sql})`, params: [text, text] } // most texts do not even contain it
}

/** A condition on a field, which has a word at any place, or begins with a number in another notation. */
export function holding(field: TargetField, word: Word): Condition {
  const phone = field.form === 'phone' ? word.phone : undefined
  const text = phone ? word.digits : inForm(word, field.form)
  if (field.options) return oneOf(field, field.options, (option) => option.includes(text))
  const inside = { sql: `instr(${field.key}, ?) > 0`, params: [text] }
  return phone ? anyOf([inside, beginningWith(field.key, phone.forms)]) : inside
}

/** The key of a choice is the rank of its option. */
function oneOf({ key }: TargetField, options: readonly string[], fits: (option: string) => boolean): Condition {
  const ranks = options.flatMap((option, rank) => (fits(option) ? [rank] : []))
  return { sql: `${key} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(ranks)] }
}
