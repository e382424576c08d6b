import { signal } from '@preact/signals'
import { X } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { environmentOf } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { Icon } from './icon.tsx'
import { isForInput, isUndo } from './key-presses.ts'

interface Link {
  label: string
  href: string
}

/** Something that the user may want to do about the notification: `Undo`. */
interface Action {
  label: string
  run(): Promise<void>
}

interface Note {
  id: number
  text: string
  next: Link | Action | undefined
  /** The workspace that the notification is about. */
  environment: string
}

const shownMs = 6_000
/** Long enough to notice a mistake and to reach the button by keyboard. */
const actionMs = 20_000
const notes = signal<Note[]>([])
let count = 0

/** `environment`: what it is about; default: the workspace of the page. */
export function notify(text: string, next?: Link | Action | '', environment = environmentOf(location.pathname)): void {
  const note = { id: ++count, text, next: next || undefined, environment }
  notes.value = [...notes.value, note]
}

function dismiss(id: number): void {
  notes.value = notes.value.filter((note) => note.id !== id)
}

/** The newest notifications, in a place of their own: `--toasts` is its height. Ctrl+Z presses the newest *Undo*, except where it belongs to a text. A text that has nothing to take back prevents its default. */
export function Notes() {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isForText = isForInput(event) && !event.defaultPrevented
      const button = [...element.current!.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].at(-1)
      if (!isUndo(event) || isForText || !button) return
      event.preventDefault()
      button.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const measure = () =>
      style.setProperty('--toasts', `${Math.ceil(element.current!.getBoundingClientRect().height)}px`)
    const observer = new ResizeObserver(measure)
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="toasts" role="status" ref={element}>
      {notes.value.slice(-3).map((note) => (
        <Toast key={note.id} {...note} />
      ))}
    </div>
  )
}

/** Disappears after a while, but not while it has the focus or the pointer. */
function Toast({ id, text, next, environment }: Note) {
  const { path } = useLocation()
  const [held, setHeld] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const hasAction = next !== undefined && 'run' in next
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(id), hasAction ? actionMs : shownMs)
    return () => clearTimeout(timer)
  }, [held])
  const leave = () => setHeld(element.current!.matches(':hover, :focus-within'))
  return (
    <div
      ref={element}
      class="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={leave}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => queueMicrotask(() => element.current && leave())}
    >
      <span>
        {text} {next && 'href' in next && <a href={next.href}>{next.label}</a>}
      </span>
      {hasAction && environmentOf(path) === environment && <ActionButton id={id} action={next} />}
      <button type="button" class="button quiet square small" aria-label={t('Dismiss')} onClick={() => dismiss(id)}>
        <Icon of={X} />
      </button>
    </div>
  )
}

function ActionButton({ id, action }: { id: number; action: Action }) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    if (busy) return
    setBusy(true)
    await action.run()
    dismiss(id)
  }
  return (
    <button
      type="button"
      class="button quiet small"
      aria-disabled={busy}
      // Pressed again, it must not take back the undo.
      {...(action.label !== t('Redo') && {
        'aria-keyshortcuts': 'Control+Z Meta+Z',
        title: t('{label} (Ctrl+Z)', { label: action.label }),
      })}
      onClick={run}
    >
      {action.label}
    </button>
  )
}
