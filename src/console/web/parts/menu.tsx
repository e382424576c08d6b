import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface MenuProps {
  /** The name of the button and of what it opens. */
  label: string
  title: string
  icon: unknown
  /** Classes of the button next to `button square`. */
  looks?: string
  /** The entries: links, buttons and small forms. */
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a few entries next to it. */
export function Menu({ label, title, icon, looks = '', children }: MenuProps) {
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
        class={`button square ${looks}`}
        aria-label={label}
        title={title}
        popovertarget={id}
      >
        <Icon of={icon} />
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

/** Puts the list below its button, or above it if there is no space, and moves the focus into it. */
function place(list: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const { width, height } = list.getBoundingClientRect()
  const isBelow = bottom + gapPx + height <= innerHeight
  Object.assign(list.style, {
    inset: 'auto',
    left: `${Math.max(gapPx, right - width)}px`,
    top: `${isBelow ? bottom + gapPx : Math.max(gapPx, top - gapPx - height)}px`,
  })
  list.querySelector<HTMLElement>('a, button')!.focus()
}
