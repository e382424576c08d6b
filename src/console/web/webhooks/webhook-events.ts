import { description, fieldOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import type { Webhook } from './webhook.ts'

export function eventsText({ events }: Webhook): string {
  return events.includes('*') ? t('Everything') : events.join(', ')
}

/** The types of changes of a resource. */
export interface EventGroup {
  label: string
  /** `deal.*` */
  all: string
  types: { type: string; label: string }[]
}

/** The types that a webhook can deliver, by resource. */
export function eventGroups(): EventGroup[] {
  const options = fieldOf('webhook', 'events').options!
  const resources = options.filter((option) => option.endsWith('.*')).map((option) => option.slice(0, -2))
  return resources.map((name) => ({
    label: subjectOf(name),
    all: `${name}.*`,
    types: options
      .filter((option) => option.startsWith(`${name}.`) && !option.endsWith('.*'))
      .map((type) => ({ type, label: word(type.slice(name.length + 1)) })),
  }))
}

function subjectOf(name: string): string {
  return description.value!.resources.find((resource) => resource.name === name)?.plural ?? `${word(name)}s`
}
