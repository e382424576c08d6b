import { useState } from 'preact/hooks'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { type EventGroup, eventGroups } from './webhook-events.ts'

interface EventPickerProps {
  value: string[]
  onValue: (events: string[]) => void
  fault: string | undefined
}

/** Selects the types of changes that a webhook delivers: all, all of a resource, or single ones. */
export function EventPicker({ value: events, onValue, fault }: EventPickerProps) {
  const options = fieldOf('webhook', 'events').options!
  const toggle = (event: string) => {
    const chosen = events.includes(event) ? events.filter((each) => each !== event) : [...events, event]
    onValue(options.filter((option) => chosen.includes(option))) // in one order, so that the same choice is no change
  }
  const isAll = events.includes('*')
  return (
    <fieldset aria-invalid={fault !== undefined}>
      <legend>{t('Events')}</legend>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={() => toggle('*')} />
        {t('Everything, including types added by later versions')}
      </label>
      <div class="events">
        {eventGroups().map((group) => (
          <Group key={group.all} {...{ group, events, isAll, toggle }} />
        ))}
      </div>
      {fault && <span class="fault">{fault}</span>}
    </fieldset>
  )
}

interface GroupProps {
  group: EventGroup
  events: readonly string[]
  isAll: boolean
  toggle: (event: string) => void
}

function Group({ group: { label, all, types }, events, isAll, toggle }: GroupProps) {
  const chosen = types.filter(({ type }) => events.includes(type)).length
  const [isOpen] = useState(chosen > 0)
  const isGroup = isAll || events.includes(all)
  return (
    <div class="event-group">
      <label class="check">
        <input type="checkbox" checked={isGroup} disabled={isAll} onChange={() => toggle(all)} />
        {label}
      </label>
      <details open={isOpen}>
        <summary class="small">
          {isGroup
            ? t('All types')
            : chosen > 0
              ? t('{chosen} of {length} types', { chosen, length: types.length })
              : t('Choose types')}
          <span class="unseen"> ({label})</span>
        </summary>
        <div class="row">
          {types.map(({ type, label: verb }) => (
            <label key={type} class="check" title={type}>
              <input
                type="checkbox"
                checked={isGroup || events.includes(type)}
                disabled={isGroup}
                onChange={() => toggle(type)}
              />
              {verb}
              <span class="unseen"> ({label})</span>
            </label>
          ))}
        </div>
      </details>
    </div>
  )
}
