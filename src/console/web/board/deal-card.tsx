import { useComputed } from '@preact/signals'
import { CalendarCheck, GripVertical } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { dueMs, isOverdue as isTaskOverdue } from '../data/late.ts'
import type { Row } from '../data/resource-views.ts'
import { Icon } from '../parts/icon.tsx'
import { single } from '../parts/single-click.ts'
import { now } from '../session/now.ts'
import { href } from '../session/place.ts'
import { verbs } from '../text/change-verbs.ts'
import { localDay } from '../text/days.ts'
import { day, initials, money } from '../text/format.ts'
import { hyphenated } from '../text/hyphens.ts'
import { t } from '../text/texts.ts'
import { AgeInStage } from './age-in-stage.tsx'
import { awaitCard, takesFocus } from './awaited-card.ts'
import type { StageAge } from './stage-ages.ts'
import type { DealMoves } from './use-deal-moves.ts'

interface DealCardProps {
  deal: Row
  /** Whether its stage is still open. */
  isOpen: boolean
  /** Its open task that is due first. */
  task: Row | undefined
  /** Not known at first. */
  age: StageAge | undefined
  moves: DealMoves
}

export function DealCard({ deal, isOpen, task, age, moves }: DealCardProps) {
  const grip = useRef<HTMLButtonElement>(null)
  const isHeld = useComputed(() => {
    const { value: moving } = moves.moving
    return moving?.id === deal.id && moving.byKeyboard
  })
  useLayoutEffect(() => {
    if (takesFocus(deal.id)) grip.current!.focus()
  }, [deal.id])
  const onKeyDown = (event: KeyboardEvent) => {
    const isMoving = isHeld.value
    const isSwitch = event.key === ' ' || event.key === 'Enter'
    if (isSwitch && !isMoving) moves.pickUp(deal)
    else if (isSwitch) {
      awaitCard(deal.id)
      moves.drop(deal)
    } else if (isMoving && event.key === 'ArrowRight') moves.moveTarget(deal, 1)
    else if (isMoving && event.key === 'ArrowLeft') moves.moveTarget(deal, -1)
    else if (isMoving && event.key === 'Escape') moves.cancel(deal)
    else return
    event.preventDefault()
  }
  const { title, organization, value, currency, expected_close_date, assigned_user } = deal
  const isOverdue = isOpen && expected_close_date && expected_close_date < localDay(now())
  return (
    <li
      class={useComputed(() => (isHeld.value ? 'deal held' : 'deal'))}
      data-stale={age?.is_stale || undefined}
      onPointerDown={(event) => event.button === 0 && moves.startDrag(event, deal)}
    >
      <div class="title">
        <a href={href(`/deals/${deal.id}`)} title={title} draggable={false}>
          {hyphenated(title)}
        </a>
        <button
          ref={grip}
          type="button"
          class="button quiet square small"
          aria-label={t('Move {title}', { title })}
          aria-pressed={isHeld}
          onKeyDown={onKeyDown}
          onBlur={() => isHeld.value && moves.cancel(deal)}
        >
          <Icon of={GripVertical} />
        </button>
      </div>
      {organization && (
        <div class="about small" title={organization.name}>
          {hyphenated(organization.name)}
        </div>
      )}
      {task && (
        <div class="next-task small" title={t('Next task')}>
          <Icon of={CalendarCheck} />
          <a href={href(`/tasks/${task.id}`)} draggable={false}>
            {hyphenated(task.title)}
          </a>
          {task.due_date && (
            <span class={isTaskOverdue(task) ? 'fault' : 'muted'}>{day(localDay(new Date(dueMs(task))))}</span>
          )}
        </div>
      )}
      <div class="row apart muted small">
        <div class="row">
          <span class="number">{money(value, currency)}</span>
          {expected_close_date && (
            <span class={isOverdue ? 'fault' : ''}>
              {isOverdue && <span class="unseen">{t('Overdue:')} </span>}
              {day(expected_close_date)}
            </span>
          )}
          {isOpen && age && <AgeInStage age={age} />}
        </div>
        {isOpen && <Outcomes deal={deal} moves={moves} />}
        {assigned_user && (
          <span class="initials" role="img" aria-label={assigned_user.full_name} title={assigned_user.full_name}>
            {initials(assigned_user.full_name)}
          </span>
        )}
      </div>
    </li>
  )
}

/** Moves a deal to Won or Lost with one click. Visible on a touch screen, and where the pointer or the focus is. */
function Outcomes({ deal, moves }: { deal: Row; moves: DealMoves }) {
  const { title } = deal
  return (
    <span class="outcomes" onPointerDown={(event) => event.stopPropagation()}>
      {moves.outcomes.map((stage) => (
        <button
          key={stage.id}
          type="button"
          class={`button quiet square small ${stage.kind}`}
          aria-label={
            stage.kind === 'won' ? t('Mark as won: {title}', { title }) : t('Mark as lost: {title}', { title })
          }
          title={verbs[stage.kind]!.label}
          onClick={single(() => moves.finish(deal, stage))}
        >
          <Icon of={verbs[stage.kind]!.icon} />
        </button>
      ))}
    </span>
  )
}
