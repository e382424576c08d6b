import { activity } from '../../crm/activity.ts'
import { contact } from '../../crm/contact.ts'
import { organization } from '../../crm/organization.ts'
import { fold } from '../../lib/text.ts'
import { firstDay, monthOf } from './calendar.ts'
import { type Cast, fill, type Subject } from './cast.ts'
import { type Company, headcounts, mobiles } from './companies.ts'
import { log, tellDeal, tellFeedback, tellOpenTask } from './deal-story.ts'
import { type DealPlan, type Plot, planDeals } from './plots.ts'
import type { Random } from './random.ts'
import { introductions } from './talks.ts'

/** Tells what happens with a company, from the first contact to the demo's day. */
export function tellCompany(cast: Cast, company: Company, plot: Plot, owner: string): void {
  const { random, decks } = cast
  const plans = planDeals(random, plot)
  const start = plans[0]?.steps[0]?.time ?? -1.2
  const met = Math.max(firstDay, start - random.between(1, 12))
  const source = random.pick(Object.keys(introductions))
  const subject = meet(cast, company, owner, met, source)
  log(cast, subject, met + 0.12, introductions[source]!)
  if (plans.length === 0) tellOpenTask(cast, subject, met + 0.2, decks.approaches.draw())
  let status = 'lead'
  const setStatus = (time: number, next: string) => {
    if (next !== status) cast.diary.change(time, owner, subject.references.organization_id, { status: next })
    status = next
  }
  for (const plan of plans) {
    const [begun, ended] = [plan.steps[0]!.time, plan.steps.at(-1)!.time]
    if (status === 'lost') setStatus(begun + 0.01, 'lead')
    const told = tellDeal(cast, subject, plan)
    if (plan.outcome === 'won') setStatus(ended + 0.01, 'active')
    if (plan.outcome === 'lost' && status === 'lead') setStatus(ended + 0.01, 'lost')
    if (plan.outcome === 'won') tellRating(cast, told, plan, plot)
  }
  if (!plot.leaves) return
  const left = random.between(-60, -15)
  const words = { ...subject.words, month: monthOf(left - 60) }
  log(cast, { ...subject, words }, left, ['note', 'No longer a customer', decks.farewells.draw()])
  setStatus(left + 0.01, 'inactive')
}

/** Enters the organization and its people. */
function meet(cast: Cast, company: Company, owner: string, met: number, source: string): Subject {
  const { random, diary, decks } = cast
  const { name, type, industry, street, postalCode, city, state, country, people } = company
  const domain = `${fold(name).replace(/[^a-z]+/g, '-')}.example`
  const entered = diary.create(met, owner, organization, {
    name,
    organization_type: type,
    address: street,
    postal_code: postalCode,
    city,
    state,
    country,
    domain,
    metadata: { industry, source, employees: random.pick(headcounts) },
  })
  const contacts = people.map((person, index) =>
    diary.create(met + 0.02 * (index + 1), owner, contact, {
      ...contactBody(random, person, company, domain),
      organization_id: entered,
      is_primary: index === 0,
      job_title: (index === 0 ? decks.titles.primary : decks.titles.other).draw(),
    }),
  )
  const chosen = random.chance(0.8) ? 0 : 1
  return {
    company,
    owner,
    person: { name: people[chosen]!, address: addressOf(people[chosen]!, domain) },
    references: { organization_id: entered, contact_id: contacts[chosen]! },
    words: { organization: name, city, first: people[chosen]!.split(' ')[0]! },
  }
}

function contactBody(random: Random, person: string, { country, phone }: Company, domain: string) {
  const [first, ...last] = person.split(' ')
  const mobile = mobiles[country]
  const numbers = [{ phone_number: digits(random, phone), type: 'work' }]
  if (mobile && random.chance(0.6)) numbers.push({ phone_number: digits(random, mobile), type: 'mobile' })
  return {
    first_name: first,
    last_name: last.join(' '),
    consent_to_record: random.chance(0.3),
    emails: [{ email: addressOf(person, domain), type: 'work' }],
    phones: numbers,
  }
}

function addressOf(person: string, domain: string): string {
  const [first, ...last] = person.split(' ')
  return `${fold(first!)}.${fold(last.join(''))}@${domain}`
}

/** A customer rates the delivery, if there has been one: the orders of the autumn are delivered later. */
function tellRating(cast: Cast, subject: Subject, { steps }: DealPlan, { leaves }: Plot): void {
  const { random, decks, diary } = cast
  const delivered = steps.at(-1)!.time + random.between(14, 24)
  if (delivered > -20) return
  const rated = tellFeedback(cast, subject, delivered)
  const rating = random.pick(leaves ? [2, 2, 3] : [3, 4, 4, 5, 5, 5])
  const { references, owner, words } = subject
  diary.create(rated, owner, activity, {
    ...references,
    type: 'rating',
    subject: `${rating} of 5 stars`,
    description: fill(decks.verdicts[rating]!.draw(), words),
    metadata: { rating },
  })
}

function digits(random: Random, pattern: string): string {
  return pattern.replace(/#/g, () => String(random.integer(0, 9)))
}
