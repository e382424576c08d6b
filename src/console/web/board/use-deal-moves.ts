import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Row } from '../data/resource-views.ts'
import { outcomesOf } from '../deals/deal-moves.ts'
import { t } from '../text/texts.ts'
import { awaitCard } from './awaited-card.ts'
import type { Board, Moved } from './board.ts'
import { beginDrag, preventTouchScroll } from './drag.ts'

/** The deal that is being moved, and the stage where it would be dropped. */
interface Moving {
  id: string
  target: string
  byKeyboard: boolean
}

/** The functions that the cards of a board call. */
export interface DealMoves {
  /** A signal, so that a move renders only what it changes. */
  moving: ReadonlySignal<Moving | undefined>
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
  /** Resolves to undefined if a dialog asks for more. */
  onDrop(deal: Row, to: Row): Promise<Moved | undefined>
}

/** Moves deals between the stages, by pointer or keyboard. `announcement` is for screen readers. */
export function useDealMoves({
  all,
  stages,
  board,
  element,
  onDrop,
}: DealMovesOptions): DealMoves & { announcement: ReadonlySignal<string> } {
  const moving = useSignal<Moving | undefined>(undefined)
  const announcement = useSignal('')
  const announce = (text: string) => {
    announcement.value = text
  }
  useEffect(() => preventTouchScroll(element.current!), [element])
  const release = useRef(() => {})
  const dropIn = (deal: Row, stageId: string) => {
    moving.value = undefined
    release.current()
    const to = all.find(({ id }) => id === stageId)!
    announce('')
    void onDrop(deal, to).then((outcome) => {
      awaitCard(undefined)
      if (outcome === undefined || moving.value !== undefined) return // a dialog, or the next move, has the word
      announce(
        outcome === 'moved'
          ? t('{title}: dropped in {name}.', { title: deal.title, name: to.name })
          : t('{title} was not moved.', { title: deal.title }),
      )
    })
  }
  return {
    moving,
    announcement,
    startDrag: (event, deal) =>
      beginDrag(event, {
        card: event.currentTarget as HTMLElement,
        board: element.current!,
        onOver(target) {
          moving.value = target ? { id: deal.id, target, byKeyboard: false } : undefined
        },
        onDrop: (stageId) => dropIn(deal, stageId),
        onLift: board.hold,
      }),
    pickUp(deal) {
      release.current = board.hold()
      moving.value = { id: deal.id, target: deal.stage_id, byKeyboard: true }
      announce(
        t('{title} picked up. Use the arrow keys to choose a stage, Space to drop, Escape to cancel.', {
          title: deal.title,
        }),
      )
    },
    moveTarget(deal, by) {
      const at = stages.findIndex(({ id }) => id === (moving.value?.target ?? deal.stage_id))
      const { id, name } = stages[Math.min(stages.length - 1, Math.max(0, at + by))]!
      moving.value = { id: deal.id, target: id, byKeyboard: true }
      element.current!.querySelector(`[data-stage="${id}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      announce(t('{title}: over {name}.', { title: deal.title, name }))
    },
    outcomes: outcomesOf(all),
    finish: (deal, to) => void onDrop(deal, to),
    drop: (deal) => dropIn(deal, moving.value?.target ?? deal.stage_id),
    cancel(deal) {
      moving.value = undefined
      release.current()
      announce(t('{title} was not moved.', { title: deal.title }))
    },
  }
}
