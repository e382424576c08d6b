import { fold } from '../lib/text.ts'

/** How well a character fits where it is: 2 for a letter that people write, less than 0 for what a wrong encoding makes of one. */
const fits = { common: 2, rare: 0.5, sign: 0.5, strange: -2, impossible: -6 }
const misfits = { caseChange: -3, mixedScripts: -4, run: -1.5, insideWord: -3, sameSound: -1, alternating: 0.5 }

const commonLatin = new Set([
  ...'äöüßéèëàâçîïôáíóúñåæøãðþœÄÖÜÉÈÀÁÓÚÇÑÅÆØÍÎÔÂÞ',
  ...'ąćłńśźżĄĆĘŁŃŚŹŻčďěňřšťůýžČĎĚŇŘŠŤŮÝŽőűŐŰăĂșțşţŞŢđĐ',
])
/** Letters that are common in front of some others only. */
const commonBefore: Readonly<Record<string, RegExp>> = {
  ...{ ì: /\P{L}/u, ò: /\P{L}/u, ù: /\P{L}/u, õ: /e/, û: /[tlr]/, ê: /[tmclnvqr]/, ę: /[bdgkpszcćż]|\P{L}/u },
}
const commonSigns = new Set('–—‘’“”„‚…•·°§€£©®«»™\u00a0、。・ー「」（）　')
const vowels = /[aeiouyæœøаеёиоуыэюяіїє]/
const cyrillic = /\p{Script=Cyrillic}/u
const commonCyrillic = /[А-яЁёІіЇїЄєҐґЎў]/
const ideograms = /[\u3040-\u30ff\u3400-\u9fff]/
const letter = /\p{L}/u
const upper = /\p{Lu}/u
const lower = /\p{Ll}/u
const broken = /[\u0080-\u009f\ufffd\ue000-\uf8ff]/
const beyondAscii = /[^\0-\x7f]/g

/** How much a text looks like one that people write, judged by its characters beyond ASCII that `except` has not in their places. */
export function plausibility(text: string, except?: string): number {
  let sum = 0
  for (const { index, 0: character } of text.matchAll(beyondAscii)) {
    if (character !== except?.[index]) sum += fitOf(text[index - 1] ?? ' ', character, text[index + 1] ?? ' ')
  }
  return sum
}

/** Letters of Icelandic, which Turkish becomes in Windows-1252, and those without which nobody writes Icelandic. */
const icelandic = /[ðþÐÞ]/
const acute = /[áéíóúæÁÉÍÓÚÆ]/

/** The share of characters that a text may have in places where people do not write them. */
const misplacedMax = 0.15
const averageMin = 1

/** Whether a text has too many characters in wrong places: it may be in an encoding that is not known here. */
export function isDoubtful(text: string): boolean {
  if (icelandic.test(text) && !acute.test(text)) return true
  const found = [...text.matchAll(beyondAscii)].map(({ index, 0: character }) =>
    fitOf(text[index - 1] ?? ' ', character, text[index + 1] ?? ' '),
  )
  const misplaced = found.filter((fit) => fit < 0).length
  const least = misplaced > found.length * misplacedMax ? averageMin : averageMin / 2
  return misplaced > 0 && plausibility(text) < found.length * least
}

function fitOf(before: string, character: string, after: string): number {
  if (broken.test(character)) return fits.impossible
  if (!letter.test(character) || /[\uff61-\uff9f\ufb00-\ufb06ªº]/.test(character))
    return signFit(before, character, after)
  if (ideograms.test(character)) {
    return fits.common * 2 + (isAscii(before) || isAscii(after) ? misfits.mixedScripts * 2 : 0)
  }
  return cyrillic.test(character) ? cyrillicFit(before, character, after) : latinFit(before, character, after)
}

function signFit(before: string, character: string, after: string): number {
  const neighbors = [before, after].filter((each) => letter.test(each)).length
  if (!commonSigns.has(character)) return neighbors > 0 ? misfits.insideWord : fits.strange
  const joins = character === '’' || character === '·' || ideograms.test(before) || character === '\u00a0'
  return (neighbors === 2 && !joins) || (neighbors > 0 && /[£€©®§°]/.test(character))
    ? misfits.insideWord
    : fits.sign * (/[€’]/.test(character) ? 2 : 1)
}

function cyrillicFit(before: string, character: string, after: string): number {
  const isAlone = !letter.test(before) && !letter.test(after)
  const own = isAlone ? fits.rare : commonCyrillic.test(character) ? fits.common : 0
  const isMixed = [before, after].some((each) => letter.test(each) && !cyrillic.test(each))
  return (
    own + (isMixed ? misfits.mixedScripts : 0) + caseFit(before, character, after) + soundFit(before, character, after)
  )
}

function latinFit(before: string, character: string, after: string): number {
  const isCommon = commonLatin.has(character) || commonBefore[character]?.test(after)
  const isAlone = !letter.test(before) && !letter.test(after)
  const own = isCommon && !isAlone ? fits.common : fits.rare
  const isRun = letter.test(before) && before > '\x7f'
  const forbidden = (/[ńŃ]/.test(character) && isVowel(after)) || (/[ăő]/.test(character) && /[eo]/.test(after))
  return (
    own +
    (isRun ? misfits.run : 0) +
    (forbidden ? misfits.sameSound : 0) +
    caseFit(before, character, after) +
    soundFit(before, character, after)
  )
}

/** Capitals begin a word, or are among others. */
function caseFit(before: string, character: string, after: string): number {
  const rises = lower.test(before) && upper.test(character)
  const isLone = upper.test(character) && letter.test(before) && lower.test(after)
  return rises || isLone ? misfits.caseChange : lower.test(character) && upper.test(after) ? misfits.caseChange : 0
}

/** Vowels and consonants alternate. */
function soundFit(before: string, character: string, after: string): number {
  const near = [before, after].filter((each) => letter.test(each))
  const same = near.filter((each) => isVowel(each) === isVowel(character)).length
  return near.length > 0 && same === 0 ? misfits.alternating : same * misfits.sameSound
}

function isVowel(character: string): boolean {
  return vowels.test(fold(character))
}

function isAscii(character: string): boolean {
  return /[A-Za-z]/.test(character)
}
