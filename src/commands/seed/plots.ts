import { firstDay } from './calendar.ts'
import type { Random } from './random.ts'

/** How a deal ends, or the open stage in which it is. */
export type Outcome = 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'won' | 'lost'

/** A deal enters a stage. Times are in working days. */
export interface Step {
  stage: number
  time: number
}

export interface DealPlan {
  outcome: Outcome
  /** From the first stage to the newest one. */
  steps: Step[]
}

/** What happens with a company. */
export interface Plot {
  /** Whether the customer stops ordering. */
  leaves?: boolean
  deals: Outcome[]
}

/** How often each plot occurs: 40 in total. */
const occurrences: readonly [number, Plot][] = [
  [4, { deals: ['won', 'negotiation'] }],
  [4, { deals: ['won', 'proposal'] }],
  [2, { deals: ['won', 'qualified'] }],
  [2, { deals: ['won', 'lead'] }],
  [2, { deals: ['won', 'won'] }],
  [2, { deals: ['won', 'lost'] }],
  [2, { deals: ['won'] }],
  [4, { deals: ['won'], leaves: true }],
  [4, { deals: ['lost'] }],
  [1, { deals: ['lost', 'qualified'] }],
  [1, { deals: ['lost', 'lead'] }],
  [4, { deals: ['lead'] }],
  [3, { deals: ['qualified'] }],
  [2, { deals: ['proposal'] }],
  [1, { deals: ['negotiation'] }],
  [2, { deals: [] }],
]

export const plots: readonly Plot[] = occurrences.flatMap(([count, plot]) => Array<Plot>(count).fill(plot))

const stages: readonly Outcome[] = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost']

/** The first deals begin after the first day even if they end at this time. */
const earliestEnd = firstDay + 45

/** The minimum and maximum number of working days in each open stage. */
const stays = [
  [2, 7],
  [4, 10],
  [5, 12],
  [3, 10],
] as const

/** Plans a company's deals from the last one backwards, so that each begins after the one before it. */
export function planDeals(random: Random, { deals, leaves }: Plot): DealPlan[] {
  const plans: DealPlan[] = []
  let latest = leaves ? -110 : -4
  for (const outcome of deals.toReversed()) {
    const closed = outcome === 'won' || outcome === 'lost'
    const last = closed
      ? random.between(plans.length < deals.length - 1 ? latest - 50 : earliestEnd, latest)
      : random.between(-10, -1.2)
    const plan = planDeal(random, outcome, last)
    plans.unshift(plan)
    latest = plan.steps[0]!.time - 8
  }
  return plans
}

function planDeal(random: Random, outcome: Outcome, last: number): DealPlan {
  const final = stages.indexOf(outcome)
  const passed = outcome === 'lost' ? random.integer(2, 4) : Math.min(final, 4)
  const steps: Step[] = [{ stage: final, time: last }]
  for (let stage = passed - 1; stage >= 0; stage--) {
    const [min, max] = stays[stage]!
    steps.unshift({ stage, time: steps[0]!.time - random.between(min, max) })
  }
  return { outcome, steps }
}
