import type { Detail, DetailCode } from '../../errors.ts'

/** A message that carries its detail code through valibot, for `detailOf` to take apart. */
export function fault(code: DetailCode, message: string): string {
  return `${code}: ${message}`
}

/** What `fault` put together, as a detail about `field`. */
export function detailOf(field: string, faultMessage: string): Detail {
  const colon = faultMessage.indexOf(': ')
  return { field, message: faultMessage.slice(colon + 2), code: faultMessage.slice(0, colon) as DetailCode }
}

export function invalid(field: string, message: string, code: Detail['code'] = 'INVALID_VALUE'): Detail {
  return { field, message, code }
}

export function oneOf(message: string, allowed: readonly string[]): string {
  return allowed.length > 0 ? `${message}; allowed: ${allowed.join(', ')}` : `${message}; nothing is allowed here`
}

/** What a caller sent, short enough to say back. */
export function quote(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
}
