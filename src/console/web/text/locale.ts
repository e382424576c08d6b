import { recall, remember } from '../session/storage.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const stored = 'kontor.language'

/** The language of the console: the one that the user has chosen in this browser, or the first of the browser's that there is. */
export const language: Language =
  chosenLanguage() ?? (navigator.languages ?? [navigator.language]).map(primaryOf).find(isLanguage) ?? 'en'

/** The locale of dates and numbers: the browser's, unless the user has chosen another language. */
export const locale: string = localeFor(chosenLanguage())

/** The language that the user has chosen; undefined: that of the browser. */
export function chosenLanguage(): Language | undefined {
  const text = recall(stored) ?? ''
  return isLanguage(text) ? text : undefined
}

/** Chooses a language, or that of the browser. Takes effect when the page is loaded again. */
export function chooseLanguage(to: Language | undefined): void {
  remember(stored, to)
}

function localeFor(chosen: Language | undefined): string {
  if (!chosen) return navigator.language || 'en'
  return [navigator.language, ...(navigator.languages ?? [])].find((each) => primaryOf(each) === chosen) ?? chosen
}

function primaryOf(tag: string): string {
  return tag.split('-')[0]!.toLowerCase()
}

function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}
