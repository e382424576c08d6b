/** Folds letter case and normalizes accents (Unicode). `like` and text sorting compare this form (decisions C6, C9). */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}

/** The name of a field in messages: `First name` for `first_name`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The maximum length of names, titles and other short text (decision B7). */
export const shortTextMax = 500

/** Whether a text has at most `max` characters; surrogate pairs count as one. */
export function isWithin(text: string, max: number): boolean {
  return text.length <= max || [...text].length <= max
}
