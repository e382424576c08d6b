import type { Row } from '../data/resource-views.ts'
import { type CurrencySum, currenciesOf, type StageGroup } from './pipeline-sums.ts'

/** Deals of one currency, of a summary. */
export interface DealGroup {
  group: Readonly<Record<string, string | null>>
  count: number
  /** Null if it is beyond the range of a number. */
  'sum:value': number | null
  'weighted:value'?: number | null
}

/** A number of deals, with their sums by currency. */
export interface Figure {
  deals: number
  sums: CurrencySum[]
}

/** The figure of some groups. The currencies come in the order given, and then any others. */
export function figureOf(
  groups: readonly DealGroup[],
  currencies: readonly string[],
  measure: 'sum:value' | 'weighted:value' = 'sum:value',
): Figure {
  const sums = new Map<string, number>()
  let deals = 0
  for (const { group, count, [measure]: value } of groups) {
    const currency = group.currency!
    deals += count
    sums.set(currency, (sums.get(currency) ?? 0) + (value ?? Infinity))
  }
  const known = currencies.filter((currency) => sums.has(currency))
  const order = [...known, ...[...sums.keys()].filter((currency) => !currencies.includes(currency))]
  return { deals, sums: order.map((currency) => [currency, sums.get(currency)!]) }
}

type Kind = 'open' | 'won' | 'lost'

/** The stages by kind. */
export type Stages = Readonly<Record<Kind, readonly Row[]>> & { readonly all: readonly Row[] }

export function byKind(all: readonly Row[]): Stages {
  const of = (kind: Kind) => all.filter((stage) => stage.kind === kind)
  return { all, open: of('open'), won: of('won'), lost: of('lost') }
}

/** The groups of deals in some stages. */
export function groupsIn<T extends DealGroup>(groups: readonly T[], stages: readonly Row[]): T[] {
  const ids = new Set(stages.map(({ id }) => id))
  return groups.filter(({ group }) => ids.has(group.stage_id!))
}

/** The currencies of all deals: first those of open deals, the most used first, and then any others. */
export function mainCurrencies(groups: readonly StageGroup[], { open }: Stages): string[] {
  return [...new Set([...currenciesOf(groupsIn(groups, open)), ...currenciesOf(groups)])]
}

/** The share of won deals among those that were won or lost; undefined: there are none. */
export function winRate(won: number, lost: number): number | undefined {
  return won + lost === 0 ? undefined : won / (won + lost)
}
