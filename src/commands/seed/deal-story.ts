import { activity } from '../../crm/activity.ts'
import { deal } from '../../crm/deal.ts'
import { task } from '../../crm/task.ts'
import { timestamp } from '../../lib/clock.ts'
import { dateOf, momentAt, monthOf } from './calendar.ts'
import { type Cast, fill, type Subject } from './cast.ts'
import { type Chore, confirmation, feedback } from './chores.ts'
import { currencies } from './companies.ts'
import type { Draft } from './diary.ts'
import { tellMails } from './mail-story.ts'
import type { DealPlan, Outcome, Step } from './plots.ts'
import type { Season } from './products.ts'
import type { Random } from './random.ts'

/** The positions of stages. The ones before `won` are open. */
const [offered, won, lost] = [2, 4, 5]

/** In percent, in each stage. */
const probabilities = [
  [5, 15],
  [20, 35],
  [40, 60],
  [65, 85],
  [100, 100],
  [0, 0],
] as const

/** In how many working days an open deal will close. */
const closings: Readonly<Partial<Record<Outcome, readonly [min: number, max: number]>>> = {
  lead: [30, 50],
  qualified: [15, 35],
  proposal: [4, 11],
  negotiation: [0, 9],
}

/** Tells a deal from its first stage to its newest one. Returns what its tasks and activities are about. */
export function tellDeal(cast: Cast, about: Subject, { outcome, steps }: DealPlan): Subject {
  const { random, diary, stageIds } = cast
  const [first, last] = [steps[0]!, steps.at(-1)!]
  const closing = closings[outcome]
  const defeat = outcome === 'lost' ? cast.decks.defeats.draw() : undefined
  const closes = closing ? random.integer(closing[0], closing[1]) : last.time
  const { title, words, facts, estimate, value } = dealFacts(cast, about, closes)
  const told = diary.create(first.time, about.owner, deal, {
    ...about.references,
    ...facts,
    title,
    value: estimate,
    stage_id: stageIds[0],
    probability: probabilityIn(random, 0),
    expected_close_date: dateOf(Math.max(first.time + 2, last === first ? closes : closes + random.integer(-8, 4))),
    assigned_to: about.owner,
  })
  for (const { stage, time } of steps.slice(1)) {
    diary.change(time, about.owner, told, {
      stage_id: stageIds[stage],
      probability: probabilityIn(random, stage),
      ...(stage === offered && { value }),
      ...(time === last.time && !defeat && { expected_close_date: dateOf(closes) }),
      ...(stage === lost && { metadata: { ...facts.metadata, lost_reason: defeat!.reason } }),
    })
  }
  const subject = { ...about, words, references: { ...about.references, deal_id: told } }
  for (const [index, step] of steps.entries()) if (step.stage < won) tellStage(cast, subject, step, steps[index + 1])
  if (outcome === 'won') tellVictory(cast, subject, last.time)
  if (defeat) log(cast, subject, last.time + 0.01, ['note', `Lost: ${defeat.reason}`, defeat.note])
  return subject
}

function probabilityIn(random: Random, stage: number): number {
  const [min, max] = probabilities[stage]!
  return random.integer(min / 5, max / 5) * 5
}

/** What is ordered, and the words of its texts. */
function dealFacts({ random, decks }: Cast, { company, words }: Subject, closes: number) {
  const season: Season = closes < -135 ? 'spring' : closes < -35 ? 'summer' : 'autumn'
  const product = decks.products[season].draw()
  const pieces = roundTo(10, random.integer(...product.pieces))
  const price = random.integer(...product.price)
  const currency = currencies[company.country] ?? 'EUR'
  const value = pieces * price
  return {
    title: product.title,
    estimate: Math.max(500, roundTo(500, value * random.between(0.7, 1.2))),
    value,
    facts: { currency, metadata: { product: product.name, pieces, price_per_piece: price } },
    words: {
      ...words,
      product: product.name,
      pieces: String(pieces),
      value: `${currency} ${String(value).replace(/(?=\d{3}$)/, ',')}`,
      month: product.month ?? monthOf(closes + 12),
    },
  }
}

/** What is said and done in an open stage until the next step, or until the demo's day. */
function tellStage(cast: Cast, subject: Subject, { stage, time }: Step, next?: Step): void {
  const { random, decks } = cast
  if (stage === 0 || random.chance(0.65))
    log(cast, subject, time + random.between(0.02, 0.15), decks.talks[stage]!.draw())
  if (!next || random.chance(0.15))
    log(cast, subject, random.between(time + 0.5, next?.time ?? -0.02), decks.talks[stage]!.draw())
  if (!next && stage === offered) tellMails(cast, subject, time)
  const begun = time + random.between(0.01, 0.1)
  if (!next) tellOpenTask(cast, subject, begun, decks.chores[stage]!.draw())
  else if (next.stage === lost) tellCancelledTask(cast, subject, begun, decks.chores[stage]!.draw(), next.time)
  else if (random.chance(0.35)) tellDoneTask(cast, subject, begun, decks.chores[stage]!.draw(), next.time)
}

function tellVictory(cast: Cast, subject: Subject, time: number): void {
  const { words } = subject
  log(cast, subject, time + 0.01, ['note', `Won: ${words.pieces} ${words.product}`, cast.decks.victories.draw()])
  tellDoneTask(cast, subject, time + 0.06, confirmation, time + 3)
}

/** A user asks for feedback after the delivery. Returns when it has come. */
export function tellFeedback(cast: Cast, subject: Subject, delivered: number): number {
  tellDoneTask(cast, subject, delivered, feedback, delivered + 5)
  return delivered + 5
}

export function tellOpenTask(cast: Cast, subject: Subject, time: number, chore: Chore): void {
  const { random, diary, decks } = cast
  const day = Math.max(decks.dueDays.draw(), Math.floor(time) + 1)
  const told = addTask(cast, subject, time, chore, day)
  if (random.chance(0.25)) diary.change(random.between(time, -0.01), subject.owner, told, { status: 'in_progress' })
}

function tellDoneTask(cast: Cast, subject: Subject, time: number, chore: Chore, before: number): void {
  const { random, diary } = cast
  const day = Math.floor(time) + random.integer(1, 3)
  const told = addTask(cast, subject, time, chore, day)
  const done = Math.max(time + 0.2, Math.min(day + random.between(-0.6, 0.7), before - 0.05))
  diary.change(done, subject.owner, told, { status: 'completed' })
}

function tellCancelledTask(cast: Cast, subject: Subject, time: number, chore: Chore, lost: number): void {
  const told = addTask(cast, subject, time, chore, Math.floor(lost) + 2)
  cast.diary.change(lost + 0.06, subject.owner, told, { status: 'cancelled' })
}

function addTask({ random, diary }: Cast, subject: Subject, time: number, chore: Chore, day: number): Draft {
  const [title, description] = chore.map((text) => fill(text, subject.words))
  return diary.create(time, subject.owner, task, {
    ...subject.references,
    title,
    description,
    priority: random.pick(['low', 'medium', 'medium', 'medium', 'high', 'urgent']),
    due_date: timestamp(momentAt(day, random.integer(10, 16))),
    assigned_to: subject.owner,
  })
}

/** Logs an activity, now and then of a colleague. */
export function log({ random, diary, userIds }: Cast, subject: Subject, time: number, talk: readonly string[]): void {
  const author = random.chance(0.12) ? random.pick(userIds) : subject.owner
  const [type, heading, text] = talk.map((each) => fill(each, subject.words))
  diary.create(time, author, activity, { ...subject.references, type, subject: heading, description: text })
}

function roundTo(unit: number, value: number): number {
  return Math.round(value / unit) * unit
}
