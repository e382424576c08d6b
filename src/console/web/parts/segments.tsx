import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface SegmentsProps {
  label: string
  /** Links instead of buttons. */
  links?: boolean
  children: ComponentChildren
}

/** Of the one before it, so much stays in sight. */
const edgePx = 40

/** One of a few, side by side; on a narrow screen they scroll, and the chosen one is in sight. */
export function Segments({ label, links, children }: SegmentsProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const scroller = row.current!
    const chosen = scroller.querySelector<HTMLElement>('[aria-pressed="true"], [aria-current="true"]')
    if (!chosen || scroller.scrollWidth <= scroller.clientWidth) return
    scroller.scrollLeft += chosen.getBoundingClientRect().left - scroller.getBoundingClientRect().left - edgePx
  })
  return (
    <div class="scroll" ref={row}>
      {links ? (
        <nav class="segments" aria-label={label}>
          {children}
        </nav>
      ) : (
        <fieldset class="segments">
          <legend class="unseen">{label}</legend>
          {children}
        </fieldset>
      )}
    </div>
  )
}
