import { signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Where this browser remembers the theme; `early.ts` reads it, too. */
const key = 'kontor.theme'

/** The theme that the user has chosen in this browser. */
export const theme = signal<Theme>(themes.find((each) => each === document.documentElement.dataset.theme) ?? 'system')

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem(key)
  } else {
    document.documentElement.dataset.theme = chosen
    localStorage.setItem(key, chosen)
  }
}

/** Whether the page is dark: as chosen, or as the system prefers. */
export function isDark(): boolean {
  return theme.value === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.value === 'dark'
}
