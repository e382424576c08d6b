// Where the words of a folded text begin (decision J1).

/** Scripts that are written without spaces: each of their characters may begin a word, and what follows one does. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
const letterOrDigit = /[\p{L}\p{N}]/u

/** Whether a word begins at a place of a text: nothing of another word is before it. */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  const first = text.charCodeAt(at)
  if (before < firstBeyondAscii && first < firstBeyondAscii) return !isAsciiWord(before)
  if (isLow(first) && isHigh(before)) return false
  const preceding = characterBefore(text, at)
  return !letterOrDigit.test(preceding) || unspaced.test(preceding) || unspaced.test(characterAt(text, at))
}

/** The first place where a part of a text begins a word; -1: there is none. */
export function placeOfStart(text: string, part: string): number {
  let at = text.indexOf(part)
  while (at !== -1 && !beginsWord(text, at)) at = text.indexOf(part, at + 1)
  return at
}

/** A character of one or two UTF-16 units. */
function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!)
}

function characterBefore(text: string, at: number): string {
  const isPair = at > 1 && isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2))
  return text.slice(at - (isPair ? 2 : 1), at)
}

const firstBeyondAscii = 0x80

/** Folded text has no upper case. */
function isAsciiWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
