/** The maximum size of metadata, as JSON in UTF-8 (decision B7). */
export const metadataBytesMax = 65_536

/** The only member of what stands for metadata that is too large to be parsed. Nobody sends it by chance. */
const mark = `too large ${Math.random()}`
const standIn = `{"${mark}":true}`

/** A member of this name whose value is an object. A quote within a string follows a backslash. */
const beginning = /(?<!\\)"metadata"\s*:\s*\{/g

const [quote, backslash, letterU] = [0x22, 0x5c, 0x75]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a value stands for metadata that was too large. */
export function isTooLarge(metadata: object): boolean {
  return Object.hasOwn(metadata, mark)
}

/**
 * Replaces metadata that is certainly too large by something short, because parsing it would take far longer than anything else: its JSON
 * exceeds the maximum even without spaces, escapes and digits.
 */
export function withoutLargeMetadata(text: string): string {
  if (text.length <= metadataBytesMax) return text
  let rest = ''
  let done = 0
  beginning.lastIndex = 0
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    const start = beginning.lastIndex - 1
    const { end, bytes } = measure(text, start)
    beginning.lastIndex = end // what is within it is not larger: no part of the text is measured twice
    if (bytes <= metadataBytesMax) continue
    rest += text.slice(done, start) + standIn
    done = end
  }
  return done === 0 ? text : rest + text.slice(done)
}

/** The end of an object, and a lower bound of its size as JSON. */
function measure(text: string, start: number): { end: number; bytes: number } {
  let [depth, bytes, at] = [0, 0, start]
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const begin = at++
      for (; at < text.length && text.charCodeAt(at) !== quote; at++) {
        if (text.charCodeAt(at) !== backslash) continue
        const length = text.charCodeAt(at + 1) === letterU ? 5 : 1
        at += length
        bytes -= length
      }
      bytes += at - begin + 1
    } else if (code === openObject || code === openArray) depth++
    else if (code === closeObject || code === closeArray) {
      if (--depth === 0) break
    } else if (code === 0x2c || code === 0x3a) bytes++
  }
  return { end: at + 1, bytes }
}
