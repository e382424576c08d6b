import type { JsonObject } from '../../engine/write/validate.ts'
import { dayMs, timestamp } from '../../lib/clock.ts'
import type { Random } from './random.ts'

/** The references of a deal or task. */
export interface Subject {
  organization_id: string
  contact_id: string
  assigned_to: string
}

const products = [
  'Annual contract',
  'Pilot project',
  'Framework agreement',
  'First order',
  'Extension',
  'Service package',
]
const chores = [
  'Send the offer',
  'Call back',
  'Prepare the demo',
  'Check the contract',
  'Ask for a reference',
  'Plan the visit',
]
const talks = ['Introduction', 'Price and terms', 'Follow-up', 'Questions from purchasing', 'Next steps', 'Feedback']

export function dealBody(random: Random, now: number, about: Subject, stage_id: string): JsonObject {
  return {
    ...about,
    stage_id,
    title: random.pick(products),
    value: random.integer(5, 400) * 250,
    probability: random.integer(1, 20) * 5,
    expected_close_date: timestamp(now + random.integer(10, 120) * dayMs).slice(0, 10),
  }
}

export function taskBody(random: Random, now: number, about: Subject & { deal_id: string }): JsonObject {
  return {
    ...about,
    title: random.pick(chores),
    status: random.pick(['pending', 'pending', 'in_progress', 'completed', 'cancelled']),
    priority: random.pick(['low', 'medium', 'medium', 'high', 'urgent']),
    due_date: timestamp(now + random.integer(1, 30) * dayMs),
  }
}

export function activityBody(random: Random, about: Omit<Subject, 'assigned_to'> & { deal_id: string }): JsonObject {
  return { ...about, type: random.pick(['call', 'email', 'meeting', 'note']), subject: random.pick(talks) }
}
