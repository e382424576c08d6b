import type { Change } from '../data/change-log.ts'
import type { Row } from '../data/resource-views.ts'

/** A stage that a deal was in. */
export interface Stay {
  stage: string
  /** Undefined if the log was not read back to that moment. */
  since: string | undefined
  /** Undefined: it is still there. */
  until: string | undefined
}

interface Story {
  created: Change | undefined
  stays: Stay[]
  /** The amounts that it had, with the last one last. */
  amounts: { value: number; currency: string }[]
}

/** What happened to a deal, from its changes, newest first. */
export function storyOf(changes: readonly Change[]): Story {
  const known = changes.toReversed().filter(({ data }) => data !== null)
  const created = known.find(({ type }) => type.endsWith('.created'))
  return { created, stays: staysIn(known), amounts: amountsIn(known) }
}

function staysIn(changes: readonly Change[]): Stay[] {
  const stays: Stay[] = []
  for (const [at, change] of changes.entries()) {
    const after = change.data!
    const before = at === 0 ? (change.previous?.stage_id as string | undefined) : undefined
    if (before !== undefined) stays.push({ stage: before, since: undefined, until: undefined })
    if (stays.at(-1)?.stage === after.stage_id) continue
    const last = stays.at(-1)
    if (last) last.until = change.at
    const isKnown = last !== undefined || change.type.endsWith('.created')
    stays.push({ stage: after.stage_id, since: isKnown ? change.at : undefined, until: undefined })
  }
  return stays
}

function amountsIn(changes: readonly Change[]): Story['amounts'] {
  const amounts = changes.flatMap(({ previous, data }, at) => {
    const { value, currency }: Row = data!
    const former = at === 0 && (previous?.value !== undefined || previous?.currency !== undefined)
    return [...(former ? [{ value, currency, ...pick(previous!) }] : []), { value, currency }]
  })
  return amounts.filter(({ value, currency }, at) => {
    const before = amounts[at - 1]
    return !before || before.value !== value || before.currency !== currency
  })
}

function pick({ value, currency }: Record<string, unknown>): Partial<{ value: number; currency: string }> {
  return {
    ...(typeof value === 'number' && { value }),
    ...(typeof currency === 'string' && { currency }),
  }
}
