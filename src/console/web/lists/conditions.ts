import type { DescribedField } from '../../description.ts'
import { filterField, parseFilter } from '../data/filters.ts'
import { declaredOf, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { dayKinds, likeKinds, numberKinds } from './filter-dialog.tsx'

/** An operator of the API, or a comparison with null. */
export type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'in' | 'empty' | 'filled'

/** A condition of a list, as the address names it: `value[gte]`, `100`. */
export type Entry = [name: string, value: string]

const nothing = 'null'

const texts: Readonly<Record<Comparison, string>> = {
  eq: t('is'),
  ne: t('is not'),
  gt: t('is after'),
  gte: t('is from'),
  lt: t('is before'),
  lte: t('is up to'),
  like: t('has'),
  in: t('is one of'),
  empty: t('is empty'),
  filled: t('is not empty'),
}
const numberTexts: Readonly<Partial<Record<Comparison, string>>> = { gt: t('is more than'), lt: t('is less than') }

/** The fields that the API filters by, also those of items, then the declared ones. */
export function conditionFields(of: string): DescribedField[] {
  const { filters, itemFilters, unshown } = resourceOf(of)
  const names = new Set([...filters, ...itemFilters, ...unshown.map(({ name }) => name)])
  return [...[...names].map((name) => filterField(of, name)), ...declaredOf(of)]
}

/** The comparisons of a field that make sense, the usual one first. */
export function comparisonsOf(of: string, field: DescribedField): Comparison[] {
  const { name, kind, target, required, chosen, readonly } = field
  const isItem = resourceOf(of).itemFilters.includes(name)
  const mayBeEmpty = !isItem && !required && !chosen && kind !== 'moment' && !(readonly && kind === 'position')
  const null_: Comparison[] = mayBeEmpty ? ['empty', 'filled'] : []
  if (kind === 'flag') return ['eq', ...null_]
  if (target) return ['eq', 'ne', 'in', ...null_]
  const ordered: Comparison[] = ['gte', 'gt', 'lte', 'lt']
  if (likeKinds.includes(kind)) return ['like', 'eq', 'ne', 'in', ...ordered, ...null_]
  if (dayKinds.includes(kind)) return [...ordered, 'eq', ...null_]
  return ['eq', 'ne', 'in', ...ordered, ...null_]
}

export function comparisonText({ kind }: DescribedField, comparison: Comparison): string {
  const own = numberKinds.includes(kind) ? numberTexts[comparison] : undefined
  return own ?? texts[comparison]
}

/** The field, the comparison and the value of a condition in the address. */
export function readEntry([name, value]: Entry): { field: string; comparison: Comparison; value: string } {
  const { field, operator } = parseFilter(name)
  if (value === nothing) return { field, comparison: operator === 'ne' ? 'filled' : 'empty', value: '' }
  return { field, comparison: (operator || 'eq') as Comparison, value }
}

/** The condition as the address names it; undefined: it has no value yet. */
export function entryOf(field: string, comparison: Comparison, value: string): Entry | undefined {
  if (comparison === 'empty') return [field, nothing]
  if (comparison === 'filled') return [`${field}[ne]`, nothing]
  if (value === '') return undefined
  return [comparison === 'eq' ? field : `${field}[${comparison}]`, value]
}
