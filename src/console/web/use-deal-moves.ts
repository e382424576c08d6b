import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Board } from './board.ts'
import { outcomesOf } from './deal-moves.ts'
import { beginDrag, preventTouchScroll } from './drag.ts'
import { t } from './texts.ts'
import type { Row } from './views.ts'

/** The deal that is being moved, and the stage where it would be dropped. */
interface Moving {
  id: string
  target: string
  byKeyboard: boolean
}

/** The functions that the cards of a board call. */
export interface DealMoves {
  moving: Moving | undefined
  startDrag(event: PointerEvent, deal: Row): void
  pickUp(deal: Row): void
  moveTarget(deal: Row, by: number): void
  drop(deal: Row): void
  /** The first won and the first lost stage. */
  outcomes: readonly Row[]
  /** Moves a deal to one of them. */
  finish(deal: Row, to: Row): void
  cancel(deal: Row): void
}

interface DealMovesOptions {
  all: Row[]
  /** The stages that are shown. */
  stages: Row[]
  board: Board
  element: RefObject<HTMLDivElement | null>
  onDrop(deal: Row, to: Row): void
}

/** Moves deals between the stages, by pointer or keyboard. `announcement` is for screen readers. */
export function useDealMoves({
  all,
  stages,
  board,
  element,
  onDrop,
}: DealMovesOptions): DealMoves & { announcement: string } {
  const [moving, setMoving] = useState<Moving>()
  const [announcement, announce] = useState('')
  useEffect(() => preventTouchScroll(element.current!), [element])
  const release = useRef(() => {})
  const dropIn = (deal: Row, stageId: string) => {
    setMoving(undefined)
    release.current()
    const to = all.find(({ id }) => id === stageId)!
    onDrop(deal, to)
    announce(t('{title}: dropped in {name}.', { title: deal.title, name: to.name }))
  }
  return {
    moving,
    announcement,
    startDrag: (event, deal) =>
      beginDrag(event, {
        card: event.currentTarget as HTMLElement,
        board: element.current!,
        onOver: (target) => setMoving(target ? { id: deal.id, target, byKeyboard: false } : undefined),
        onDrop: (stageId) => dropIn(deal, stageId),
        onLift: board.hold,
      }),
    pickUp(deal) {
      release.current = board.hold()
      setMoving({ id: deal.id, target: deal.stage_id, byKeyboard: true })
      announce(
        t('{title} picked up. Use the arrow keys to choose a stage, Space to drop, Escape to cancel.', {
          title: deal.title,
        }),
      )
    },
    moveTarget(deal, by) {
      const at = stages.findIndex(({ id }) => id === (moving?.target ?? deal.stage_id))
      const { id, name } = stages[Math.min(stages.length - 1, Math.max(0, at + by))]!
      setMoving({ id: deal.id, target: id, byKeyboard: true })
      element.current!.querySelector(`[data-stage="${id}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      announce(t('{title}: over {name}.', { title: deal.title, name }))
    },
    outcomes: outcomesOf(all),
    finish: onDrop,
    drop: (deal) => dropIn(deal, moving?.target ?? deal.stage_id),
    cancel(deal) {
      setMoving(undefined)
      release.current()
      announce(t('{title} was not moved.', { title: deal.title }))
    },
  }
}
