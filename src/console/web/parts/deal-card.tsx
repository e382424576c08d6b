import { GripVertical } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { day, money } from '../format.ts'
import { href } from '../place.ts'
import type { Hands } from '../use-hands.ts'
import type { Row } from '../views.ts'
import { Icon } from './icon.tsx'

/** The last that was dropped by keyboard: its card is a new element, to which the focus goes. */
let refocus: string | undefined

export function DealCard({ deal, hands }: { deal: Row; hands: Hands }) {
  const { held } = hands
  const grip = useRef<HTMLButtonElement>(null)
  const isHeld = held?.id === deal.id && held.byKeyboard
  useEffect(() => {
    if (refocus !== deal.id) return
    refocus = undefined
    grip.current?.focus()
  }, [deal.id])
  const onKeyDown = (event: KeyboardEvent) => {
    const isSwitch = event.key === ' ' || event.key === 'Enter'
    if (isSwitch && !isHeld) hands.take(deal)
    else if (isSwitch) {
      refocus = deal.id
      hands.drop(deal)
    } else if (isHeld && event.key === 'ArrowRight') hands.aim(deal, 1)
    else if (isHeld && event.key === 'ArrowLeft') hands.aim(deal, -1)
    else if (isHeld && event.key === 'Escape') hands.putBack(deal)
    else return
    event.preventDefault()
  }
  const { title, organization, value, currency, expected_close_date, assigned_user } = deal
  return (
    <li class={isHeld ? 'deal held' : 'deal'} onPointerDown={(event) => event.button === 0 && hands.grasp(event, deal)}>
      <div class="title">
        <a href={href(`/deals/${deal.id}`)} title={title} draggable={false}>
          {title}
        </a>
        <button
          ref={grip}
          type="button"
          class="button quiet square small"
          aria-label={`Move ${title}`}
          aria-pressed={isHeld}
          onKeyDown={onKeyDown}
          onBlur={() => isHeld && refocus !== deal.id && hands.putBack(deal)}
        >
          <Icon of={GripVertical} />
        </button>
      </div>
      {organization && (
        <div class="about small" title={organization.name}>
          {organization.name}
        </div>
      )}
      <div class="row apart muted small">
        <span class="number">{money(value, currency)}</span>
        <span>{expected_close_date ? day(expected_close_date) : assigned_user?.full_name}</span>
      </div>
    </li>
  )
}
