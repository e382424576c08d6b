import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Board } from './board.ts'
import { beginDrag, holdStill } from './drag.ts'
import type { Row } from './views.ts'

/** The deal that is being moved, and the stage where it would be dropped. */
interface Held {
  id: string
  target: string
  byKeyboard: boolean
}

/** What the cards of a board call when they are moved. */
export interface Hands {
  held: Held | undefined
  grasp(event: PointerEvent, deal: Row): void
  take(deal: Row): void
  aim(deal: Row, by: number): void
  drop(deal: Row): void
  putBack(deal: Row): void
}

/** Moves deals between the stages, by pointer or keyboard; `said` is for who does not see it. */
export function useHands(
  stages: Row[],
  board: Board,
  element: RefObject<HTMLDivElement | null>,
): Hands & { said: string } {
  const [held, setHeld] = useState<Held>()
  const [said, say] = useState('')
  useEffect(() => holdStill(element.current!), [element])
  const release = useRef(() => {})
  const dropIn = (deal: Row, stageId: string) => {
    setHeld(undefined)
    release.current()
    const to = stages.find(({ id }) => id === stageId)!
    void board.move(deal, to)
    say(`${deal.title}: dropped in ${to.name}.`)
  }
  return {
    held,
    said,
    grasp: (event, deal) =>
      beginDrag(event, {
        card: event.currentTarget as HTMLElement,
        board: element.current!,
        onOver: (target) => setHeld(target ? { id: deal.id, target, byKeyboard: false } : undefined),
        onDrop: (stageId) => dropIn(deal, stageId),
        onLift: board.hold,
      }),
    take(deal) {
      release.current = board.hold()
      setHeld({ id: deal.id, target: deal.stage_id, byKeyboard: true })
      say(`${deal.title} is taken up. Arrow keys choose the stage, space drops it, escape puts it back.`)
    },
    aim(deal, by) {
      const at = stages.findIndex(({ id }) => id === (held?.target ?? deal.stage_id))
      const { id, name } = stages[Math.min(stages.length - 1, Math.max(0, at + by))]!
      setHeld({ id: deal.id, target: id, byKeyboard: true })
      element.current!.querySelector(`[data-stage="${id}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      say(`${deal.title}: over ${name}.`)
    },
    drop: (deal) => dropIn(deal, held?.target ?? deal.stage_id),
    putBack(deal) {
      setHeld(undefined)
      release.current()
      say(`${deal.title} is back where it was.`)
    },
  }
}
