import { type Detail, validationError } from '../../../errors.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'

/** More than a list takes. Each that is unknown gets an error of its own. */
const parametersMax = 200

type Parameter = [name: string, value: string]

/** Checks the query string of a request without parameters. Throws VALIDATION_ERROR. */
export function refuseParameters(queryString: string): void {
  if (queryString === '') return
  const details: Detail[] = []
  readParameters(queryString, [], details)
  if (details.length > 0) throw validationError(details)
}

/** Reads the allowed parameters. Unknown and repeated ones are added to `details`. */
export function readParameters(
  queryString: string,
  allowed: readonly string[],
  details: Detail[],
): Map<string, string> {
  const parameters = parametersOf(queryString, details)
  const unknown = parameters.filter(([name]) => !allowed.includes(name))
  details.push(...unknown.map(([name]) => unknownParameter(name, allowed)))
  return readOnce(parameters, allowed, details)
}

/** Every parameter of a query string, in order. Adds those that are no text to `details`. Throws VALIDATION_ERROR if there are too many. */
export function parametersOf(queryString: string, details: Detail[]): Parameter[] {
  if (queryString === '') return []
  const parameters = [...new URLSearchParams(queryString)]
  if (parameters.length > parametersMax) {
    const [name] = parameters[parametersMax]!
    throw validationError([invalid(name, `A request takes at most ${parametersMax} parameters`, 'OUT_OF_RANGE')])
  }
  const meant = /%EF%BF%BD/i.test(queryString)
  for (const [name, value] of parameters) {
    const text = name + value
    if (text.includes('\0') || (text.includes('\uFFFD') && !meant)) {
      details.push(invalid(name, `${name} must be percent-encoded UTF-8 without U+0000 (a literal % is written %25)`))
    }
  }
  return parameters
}

/** The parameters of these names, each of which may be given once. */
export function readOnce(parameters: Parameter[], names: readonly string[], details: Detail[]): Map<string, string> {
  const once = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (!names.includes(name)) continue
    if (once.has(name)) details.push(invalid(name, `${name} must be given once`))
    once.set(name, value)
  }
  return once
}

/** A parameter that is an integer of at least 1. */
export function readWhole(once: Map<string, string>, name: string, details: Detail[]): number | undefined {
  const value = once.get(name)
  if (value === undefined) return undefined
  return parseWhole(name, value, 1, details) ?? 1
}

/** An integer of at least `min`; undefined, and a detail: the text is none. */
export function parseWhole(name: string, text: string, min: 0 | 1, details: Detail[]): number | undefined {
  const isWhole = /^-?\d{1,400}$/.test(text)
  if (isWhole && Number(text) >= min) return Number(text)
  const message = `${name} must be an integer of at least ${min}`
  details.push(invalid(name, message, isWhole ? 'OUT_OF_RANGE' : 'INVALID_FORMAT'))
  return undefined
}

export function unknownParameter(name: string, allowed: readonly string[]): Detail {
  return invalid(name, oneOf(`Unknown parameter ${quote(name)}`, allowed))
}
