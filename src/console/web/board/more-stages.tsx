import { ChevronLeft, ChevronRight } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'

interface MoreStagesProps {
  /** The board, which scrolls sideways. */
  board: RefObject<HTMLElement | null>
  /** The number of its stages. */
  count: number
}

/** Shows how many stages are out of sight on each side. A click scrolls to them. Tab skips the buttons: it scrolls the board, which can remove the focused one. */
export function MoreStages({ board, count }: MoreStagesProps) {
  const [{ before, after }, setHidden] = useState({ before: 0, after: 0 })
  useEffect(() => {
    const element = board.current!
    const look = () => {
      const found = hiddenIn(element)
      setHidden((known) => (known.before === found.before && known.after === found.after ? known : found))
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [count])
  const scroll = (by: 1 | -1) => {
    const { clientWidth } = board.current!
    board.current!.scrollBy({ left: by * clientWidth * 0.8 })
  }
  return (
    <>
      {before > 0 && (
        <button type="button" tabIndex={-1} class="button small more-stages before" onClick={() => scroll(-1)}>
          <Icon of={ChevronLeft} /> {t('{n} more', { n: before })}
        </button>
      )}
      {after > 0 && (
        <button type="button" tabIndex={-1} class="button small more-stages" onClick={() => scroll(1)}>
          {t('{n} more', { n: after })} <Icon of={ChevronRight} />
        </button>
      )}
    </>
  )
}

/** The columns of which less than half is visible. */
function hiddenIn(element: HTMLElement): { before: number; after: number } {
  const { left, right } = element.getBoundingClientRect()
  const middles = [...element.children].map((column) => {
    const box = column.getBoundingClientRect()
    return box.left + box.width / 2
  })
  return { before: middles.filter((x) => x < left).length, after: middles.filter((x) => x > right).length }
}
