import type { Random } from '../../src/commands/seed/random.ts'
import type { Row } from '../../src/engine/records/define.ts'
import type { Input } from '../../src/engine/records/rows/validate.ts'
import { dayMs, timestamp } from '../../src/lib/clock.ts'
import { companyName, firstName, jobTitle, lastName, place, sentence, skewed } from './words.ts'

/** The ids that new records may refer to. */
export interface Known {
  now: number
  stages: readonly string[]
  users: readonly string[]
  organizations: readonly string[]
  contacts: readonly string[]
  deals: readonly string[]
}

const statuses = ['lead', 'active', 'inactive', 'lost']
const types = ['retail', 'wholesale', 'manufacturing', 'services', 'technology', 'healthcare', 'hospitality', 'energy']
const countries = ['Germany', 'Austria', 'Switzerland', 'Denmark', 'Norway', 'Sweden', 'Poland', 'France', 'Portugal']
const metadata = JSON.stringify({ source: 'import', score: 7 })

/** Valid values for a new record of each resource, by its name. */
export const rows: Record<string, (random: Random, known: Known) => Input> = {
  organization: (random) => {
    const name = companyName(random)
    return only({
      name,
      status: skewed(random, statuses),
      organization_type: maybe(random, 0.8, () => random.pick(types)),
      address: `${random.integer(1, 180)} ${random.pick(types)} road`,
      city: place(random),
      state: null,
      postal_code: String(random.integer(10_000, 99_999)),
      country: skewed(random, countries),
      domain: `${ascii(name)}-${random.integer(1, 9999)}.example`,
      metadata,
    })
  },
  contact: (random, { organizations }) => {
    const [first, last] = [firstName(random), lastName(random)]
    return {
      values: {
        first_name: first,
        last_name: last,
        job_title: maybe(random, 0.9, () => jobTitle(random)),
        organization_id: maybe(random, 0.9, () => random.pick(organizations)),
        is_primary: 0,
        consent_to_record: Number(random.chance(0.3)),
        metadata,
      },
      items: {
        emails: item(random, 0.7, () => ({
          email: `${ascii(first)}.${ascii(last)}@${ascii(place(random))}.example`,
          type: 'work',
          is_primary: 1,
        })),
        phones: item(random, 0.4, () => ({
          phone_number: `+49${random.integer(200_000_000, 999_999_999)}`,
          type: 'work',
          is_primary: 1,
        })),
      },
    }
  },
  deal: (random, known) =>
    only({
      title: sentence(random),
      value: random.integer(4, 40_000) * 25,
      currency: skewed(random, ['EUR', 'CHF', 'SEK', 'NOK', 'PLN']),
      stage_id: skewed(random, known.stages),
      organization_id: maybe(random, 0.9, () => random.pick(known.organizations)),
      contact_id: maybe(random, 0.7, () => random.pick(known.contacts)),
      assigned_to: maybe(random, 0.8, () => skewed(random, known.users)),
      expected_close_date: maybe(random, 0.8, () => day(random, known.now)),
      probability: maybe(random, 0.9, () => random.integer(0, 200) / 2),
      metadata,
    }),
  task: (random, known) =>
    only({
      title: sentence(random),
      description: maybe(random, 0.3, () => sentence(random)),
      status: skewed(random, ['completed', 'pending', 'in_progress', 'cancelled']),
      priority: skewed(random, ['medium', 'low', 'high', 'urgent']),
      due_date: maybe(random, 0.8, () => timestamp(known.now + random.integer(1, 60 * dayMs))),
      organization_id: maybe(random, 0.6, () => random.pick(known.organizations)),
      contact_id: maybe(random, 0.6, () => random.pick(known.contacts)),
      deal_id: maybe(random, 0.5, () => random.pick(known.deals)),
      assigned_to: maybe(random, 0.9, () => skewed(random, known.users)),
      completed_at: null,
      metadata,
    }),
  activity: (random, known) =>
    only({
      type: skewed(random, ['email', 'call', 'note', 'meeting', 'rating']),
      subject: maybe(random, 0.9, () => sentence(random)),
      description: maybe(random, 0.3, () => sentence(random)),
      organization_id: maybe(random, 0.7, () => random.pick(known.organizations)),
      contact_id: maybe(random, 0.7, () => random.pick(known.contacts)),
      deal_id: maybe(random, 0.3, () => random.pick(known.deals)),
      user_id: null,
      metadata,
    }),
}

function only(values: Row): Input {
  return { values, items: {} }
}

function maybe<T>(random: Random, probability: number, make: () => T): T | null {
  return random.chance(probability) ? make() : null
}

function item(random: Random, probability: number, make: () => Row): Row[] {
  return random.chance(probability) ? [make()] : []
}

function day(random: Random, now: number): string {
  return timestamp(now + random.integer(10, 400) * dayMs).slice(0, 10)
}

function ascii(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '')
}
