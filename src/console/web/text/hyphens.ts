/** Shorter words fit a card of the board. */
const cardLettersMin = 10
/** Letters that stay together. */
const joined = /^(?:ch|ck|ph|sch|sh|sp|st|th|tz|[bcdfgkptvw][lr])/iu
const vowel = /[aeiouyäöüáàâãåæéèêëíìîïóòôõøúùûýąęœ]/iu
const endMin = 3

/**
 * The text with soft hyphens between the syllables of its long words, whatever their language: browsers have dictionaries for few, and none for
 * names. A rough rule is enough, since a word without hyphens would break anywhere: the last consonant between vowels begins a syllable.
 * Words of fewer letters than `lettersMin` fit.
 */
export function hyphenated(text: string, lettersMin = cardLettersMin): string {
  return text.replace(/\p{L}+/gu, (word) => (word.length < lettersMin ? word : withHyphens([...word])))
}

function withHyphens(letters: readonly string[]): string {
  return letters.map((letter, at) => (isStart(letters, at) ? `\u00AD${letter}` : letter)).join('')
}

/** Whether a syllable begins at this letter. */
function isStart(letters: readonly string[], at: number): boolean {
  if (at < endMin || letters.length - at < endMin || vowel.test(letters[at]!)) return false
  const [before, after] = [letters.slice(0, at), letters.slice(at).join('')]
  const onset = joined.exec(after)?.[0].length ?? 1
  if (!vowel.test(letters[at + onset] ?? '') || !before.some((letter) => vowel.test(letter))) return false
  // Not within letters that stay together.
  return ![1, 2].some((back) => {
    const match = joined.exec(letters.slice(at - back).join(''))?.[0].length ?? 0
    return match > back && vowel.test(letters[at - back + match] ?? '')
  })
}
