import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface MenuProps {
  /** The name of the button and of what it opens. */
  label: string
  title: string
  /** What the button shows: an icon, or a short text. */
  icon?: unknown
  text?: string
  /** Classes of the button next to `button`, and `square` for an icon. */
  looks?: string
  /** The entries: links, buttons and small forms. */
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a few entries next to it. */
export function Menu({ label, title, icon, text, looks = '', children }: MenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (open) place(list.current!, button.current!)
  }, [open])
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class={`button ${icon ? 'square' : ''} ${looks}`}
        aria-label={text === undefined ? label : `${text} ${label}`}
        title={title}
        popovertarget={id}
      >
        {icon ? <Icon of={icon} /> : text}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && children(() => list.current!.hidePopover())}
      </div>
    </div>
  )
}

const gapPx = 4

/** Puts the list below its button, or above it if there is no space, towards the middle of the window, and moves the focus into it. */
function place(list: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { width, height } = list.getBoundingClientRect()
  const isBelow = bottom + gapPx + height <= innerHeight
  Object.assign(list.style, {
    inset: 'auto',
    left: `${left + right < innerWidth ? Math.max(gapPx, Math.min(left, innerWidth - width - gapPx)) : Math.max(gapPx, right - width)}px`,
    top: `${isBelow ? bottom + gapPx : Math.max(gapPx, top - gapPx - height)}px`,
  })
  list.querySelector<HTMLElement>('a, button')!.focus()
}
