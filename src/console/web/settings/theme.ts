import { signal } from '@preact/signals'
import { remember } from '../session/storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Where this browser remembers the theme; `early.ts` reads it, too. */
const key = 'kontor.theme'

/** The theme that the user has chosen in this browser. */
export const theme = signal<Theme>(themes.find((each) => each === document.documentElement.dataset.theme) ?? 'system')

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  remember(key, chosen === 'system' ? undefined : chosen)
}

/** Whether the page is dark: as chosen, or as the system prefers. */
export function isDark(): boolean {
  return theme.value === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.value === 'dark'
}
