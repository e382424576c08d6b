import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface SegmentsProps {
  label: string
  /** Links instead of buttons. */
  links?: boolean
  children: ComponentChildren
}

/** How much of the previous option stays visible. */
const edgePx = 40

/** A few options side by side. On a narrow screen they scroll, with the selected one in view. */
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
