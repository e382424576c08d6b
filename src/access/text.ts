import { validationError } from '../errors.ts'
import { isWithin, shortTextMax } from '../lib/text.ts'

/** A trimmed name, or VALIDATION_ERROR (decisions B6, B7). */
export function requireText(label: string, value: string): string {
  const text = value.trim()
  const field = label.toLowerCase().replaceAll(' ', '_')
  if (text === '') throw validationError([{ field, message: `${label} is required`, code: 'REQUIRED' }])
  if (!isWithin(text, shortTextMax)) {
    throw validationError([{ field, message: `${label} must be at most ${shortTextMax} characters`, code: 'TOO_LONG' }])
  }
  return text
}
