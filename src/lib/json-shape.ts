const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

interface ShapeMax {
  depthMax: number
  valuesMax: number
}

/**
 * Which limit a JSON text exceeds: it is nested too deep, or has too many values. Objects of few bytes take hundreds of times as long to parse
 * as text, so this is checked before. Other errors are left to the parser.
 */
export function shapeFault(json: string, { depthMax, valuesMax }: ShapeMax): 'depth' | 'values' | undefined {
  let [depth, values] = [0, 1]
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at)
    else if (code === comma) values++
    else if (code === openArray || code === openObject) {
      if (++depth > depthMax) return 'depth'
      values++
    } else if (code === closeArray || code === closeObject) depth--
  }
  return values > valuesMax ? 'values' : undefined
}

/** Whether a parsed value has at most this many levels of objects and arrays. */
export function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => isNestedWithin(each, levels - 1))
}

/** The offset of the closing quote of a string that begins at `start`. */
export function endOfString(json: string, start: number): number {
  let at = start + 1
  for (; at < json.length && json.charCodeAt(at) !== quote; at++) if (json.charCodeAt(at) === backslash) at++
  return at
}
