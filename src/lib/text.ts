/** Folds letter case over Unicode, and composed against decomposed accents: what `like` and text order compare (decisions C6, C9). */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

/** `first_name` as a message names it: `First name`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}
