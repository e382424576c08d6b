import { beginsWord } from '../../../lib/word-starts.ts'

// The pieces into which the search index cuts folded texts.

/** The length of a piece, in UTF-16 units. */
const pieceLength = 3
/** Texts that are longer, in UTF-16 units, repeat many pieces. */
const longMin = 1_000
/** Characters beyond have two UTF-16 units. */
const lastUnit = 0xffff
/** Precedes what a word begins with: one or two characters. What a text has with this letter itself is compared, and not found. */
const startMark = '\uf8ff'

/** All pieces of a text, and the beginnings of its words if `withStarts`, each after `mark`; a long text has each once. */
export function allPieces(text: string, mark = '', withStarts = false): string[] {
  const written = asToken(text)
  const pieces: string[] = []
  for (let at = 0; at + pieceLength <= written.length; at++) pieces.push(mark + written.slice(at, at + pieceLength))
  if (withStarts) addStarts(pieces, text, written, mark)
  return eachOnce(pieces, text)
}

/** Only the beginnings of the words of a text, each after `mark`. */
export function allStarts(text: string, mark: string): string[] {
  const starts: string[] = []
  addStarts(starts, text, asToken(text), mark)
  return eachOnce(starts, text)
}

/** Pieces that cover a part of a pattern: one after `step` units, and the last. None if it is too short. */
export function piecesOf(part: string, step = pieceLength): string[] {
  const written = asToken(part)
  const last = written.length - pieceLength
  const pieces: string[] = []
  for (let at = 0; at < last; at += step) pieces.push(written.slice(at, at + pieceLength))
  return last < 0 ? [] : [...pieces, written.slice(last)]
}

/** Adds what is too short for a piece. */
function addStarts(pieces: string[], text: string, written: string, mark: string): void {
  const marks = mark + startMark
  for (let at = 0; at < text.length; at++) {
    if (!beginsWord(text, at) || isSpace(text, at)) continue
    const length = text.codePointAt(at)! > lastUnit ? 2 : 1
    pieces.push(marks + written.slice(at, at + length))
    if (length > 1 || isSpace(text, at + 1) || isSurrogate(text, at + 1)) continue
    pieces.push(marks + written.slice(at, at + pieceLength - 1))
  }
}

function eachOnce(pieces: string[], text: string): string[] {
  return text.length > longMin ? [...new Set(pieces)] : pieces
}

/** The piece of a text in which a word begins with this: it is too short for other pieces. */
export function startOf(word: string): string {
  return startMark + asToken(word)
}

/** Also after the end. */
function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  return text.charAt(at).trim() === ''
}

function isSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit < 0xe000
}

/** The tokenizer accepts ASCII letters, digits, and non-ASCII characters. Other ASCII characters are moved to the private use area. */
function asToken(text: string): string {
  return text.replace(/[^a-z\d\u0080-\uffff]/g, (character) => String.fromCharCode(0xe000 + character.charCodeAt(0)))
}
