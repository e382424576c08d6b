import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Page } from '../data/http.ts'
import { number } from '../text/format.ts'
import { t } from '../text/texts.ts'

interface PagerProps {
  /** The page that is shown. */
  of: Pick<Page<unknown>['pagination'], 'total' | 'page' | 'limit'>
  /** The requested page: while it loads, the former one is shown. Default: the page that is shown. */
  at?: number
  onPage: (page: number) => void
  searched?: boolean
}

/** Shows which rows of how many are shown, with buttons for the previous and next page. */
export function Pager({ of: { total, page, limit }, at = page, onPage, searched = false }: PagerProps) {
  const turn = (step: number) => {
    const exists = at + step >= 1 && (at + step - 1) * limit < total
    if (exists) onPage(at + step)
    return exists
  }
  const { nav, click } = useTurns(turn)
  const [first, last] = [Math.min((page - 1) * limit + 1, total), Math.min(page * limit, total)]
  const of = searched ? t('{n} found', { n: number(total) }) : number(total)
  return (
    <nav ref={nav} class="pager" aria-label={t('Pages')}>
      <span class="muted small number" role="status">
        {searched && total <= limit
          ? of
          : t('{first}–{last} of {of}', { first: number(first), last: number(last), of })}
      </span>
      <span class="row">
        <TurnButton label={t('Previous')} isEnd={at <= 1} onClick={() => click(-1)} />
        <TurnButton label={t('Next')} isEnd={at * limit >= total} onClick={() => click(1)} />
      </span>
    </nav>
  )
}

/**
 * Turns a page and shows the top of the list. The button then moves, so that the next of several quick clicks would hit a
 * row: it turns another page instead.
 */
function useTurns(turn: (step: number) => boolean) {
  const nav = useRef<HTMLElement>(null)
  const clicked = useRef(0)
  const latest = useRef(turn)
  latest.current = turn
  const click = (step: number) => {
    clicked.current = step
    if (!turn(step)) return
    const card = nav.current!.closest('.card')
    if (card && card.getBoundingClientRect().top < 0) card.scrollIntoView()
  }
  useLayoutEffect(() => {
    // A browser sends no click if the row is replaced between press and release, so that the press counts.
    const onMouse = (event: MouseEvent) => {
      if (event.detail <= 1) clicked.current = 0
      if (clicked.current === 0 || nav.current!.contains(event.target as Node)) return
      event.preventDefault()
      event.stopPropagation()
      if (event.type === 'mousedown') latest.current(clicked.current)
    }
    const left = new AbortController()
    for (const type of ['mousedown', 'click'] as const) {
      document.addEventListener(type, onMouse, { capture: true, signal: left.signal })
    }
    return () => left.abort()
  }, [])
  return { nav, click }
}

interface TurnButtonProps {
  label: string
  isEnd: boolean
  onClick: () => void
}

/** Uses `aria-disabled`, because a disabled button loses the focus. */
function TurnButton({ label, isEnd, onClick }: TurnButtonProps) {
  return (
    <button type="button" class="button small" aria-disabled={isEnd} onClick={onClick}>
      {label}
    </button>
  )
}
