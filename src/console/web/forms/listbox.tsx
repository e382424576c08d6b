import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../text/texts.ts'

interface ListboxProps {
  anchor: { current: HTMLInputElement | null }
  id: string
  children: preact.ComponentChildren
}

const gapPx = 4
/** Of the list, beside an input that is narrower, such as a cell: its options have more than a name. */
const widthMinPx = 240

/** A list below its input, or above it if there is more space. It is in the top layer, so that no dialog clips it. */
export function Listbox({ anchor, id, children }: ListboxProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = list.current!
    box.showPopover()
    const place = () => {
      const { top, bottom, left, width } = anchor.current!.getBoundingClientRect()
      const isBelow = innerHeight - bottom >= Math.min(box.scrollHeight, top)
      const space = isBelow ? innerHeight - bottom : top
      Object.assign(box.style, {
        left: `${left}px`,
        width: `${Math.max(width, Math.min(widthMinPx, innerWidth - left - gapPx))}px`,
        maxHeight: `min(16rem, ${space - 2 * gapPx}px)`,
        top: isBelow ? `${bottom + gapPx}px` : 'auto',
        bottom: isBelow ? 'auto' : `${innerHeight - top + gapPx}px`,
      })
    }
    place()
    const held = new AbortController()
    addEventListener('scroll', place, { capture: true, signal: held.signal })
    addEventListener('resize', place, { signal: held.signal })
    return () => held.abort()
  })
  useEffect(() => list.current!.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }))
  return (
    // The list must not take the focus from the input before the click arrives.
    <div
      ref={list}
      id={id}
      popover="manual"
      role="listbox"
      tabIndex={-1}
      aria-label={t('Suggestions')}
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  )
}
