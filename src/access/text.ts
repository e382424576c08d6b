import { validationError } from '../errors.ts'
import { isWithin, shortTextMax } from '../lib/text.ts'

/** Whether a name has characters that would break the lines of what commands print. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text)
}

/** A trimmed name, or VALIDATION_ERROR (decisions B6, B7). */
export function requireText(label: string, value: string): string {
  const text = value.trim()
  const field = label.toLowerCase().replaceAll(' ', '_')
  if (hasControls(text)) {
    const message = `${label} must not contain line breaks or other control characters`
    throw validationError([{ field, message, code: 'INVALID_FORMAT' }])
  }
  if (text === '') throw validationError([{ field, message: `${label} is required`, code: 'REQUIRED' }])
  if (!isWithin(text, shortTextMax)) {
    throw validationError([{ field, message: `${label} must be at most ${shortTextMax} characters`, code: 'TOO_LONG' }])
  }
  return text
}
