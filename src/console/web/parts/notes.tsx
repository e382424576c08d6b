import { signal } from '@preact/signals'
import { X } from 'lucide'
import { Icon } from './icon.tsx'

interface Note {
  id: number
  text: string
  link?: { label: string; href: string } | undefined
}

const shownMs = 6_000
const notes = signal<Note[]>([])
let count = 0

/** Shows a notification. */
export function notify(text: string, link?: Note['link']): void {
  const id = ++count
  notes.value = [...notes.value.slice(-2), { id, text, link }]
  setTimeout(() => dismiss(id), shownMs)
}

function dismiss(id: number): void {
  notes.value = notes.value.filter((note) => note.id !== id)
}

export function Notes() {
  return (
    <div class="toasts" role="status">
      {notes.value.map(({ id, text, link }) => (
        <div class="toast" key={id}>
          <span>
            {text} {link && <a href={link.href}>{link.label}</a>}
          </span>
          <button type="button" class="button quiet square small" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon of={X} />
          </button>
        </div>
      ))}
    </div>
  )
}
