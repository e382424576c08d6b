import { signal } from '@preact/signals'

/** What is shown over every page: the search with all commands, only the commands that create, the form of a new record or of a call, or the list of keys. */
type Panel = { show: 'search' } | { show: 'create' } | { show: 'form'; of: string } | { show: 'keys' | 'log' }

export const panel = signal<Panel | undefined>(undefined)

export function closePanel(): void {
  panel.value = undefined
  searched.value = ''
}

/** What is typed in the search. It can be typed before its input has been loaded and focused. */
export const searched = signal('')
