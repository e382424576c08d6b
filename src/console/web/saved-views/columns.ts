import { signal } from '@preact/signals'
import { derivedFields } from '../data/derived-values.ts'
import { isTelling, viewOf, withoutCurrency } from '../data/resource-views.ts'
import { declaredOf, resourceOf } from '../session/session.ts'
import { recall, remember } from '../session/storage.ts'
import { t } from '../text/texts.ts'

/** A column that a list can show: a field, or the array of a collection. */
interface AvailableColumn {
  name: string
  label: string
}

interface ViewColumns {
  id: string
  columns: readonly string[] | null
}

/** The columns that a list can show. The first has the name of the record and is always shown. */
export function availableColumns(of: string): AvailableColumn[] {
  const { fields, collections } = resourceOf(of)
  const { name, columns } = viewOf(of)
  const [first, ...otherNames] = name
  const others = fields.filter((field) => ![columns[0], ...otherNames].includes(field.name))
  const shown = withoutCurrency(others).filter((field) => isTelling(field) && field.kind !== 'metadata' && !field.long)
  const items = Object.values(collections).map(({ as, label }) => ({ name: as, label }))
  const title = fields.find((field) => field.name === first)
  const label = name.length === 1 && title ? title.label : t('Name')
  const plain = [...shown, ...derivedFields(of), ...declaredOf(of)].map(({ name, label }) => ({ name, label }))
  return [{ name: columns[0]!, label }, ...plain, ...items]
}

/** The names of the columns that a list shows, in order: as chosen since, as the view says, or as remembered by this browser. */
export function chosenColumns(of: string, view?: ViewColumns): readonly string[] {
  return shownColumns(of, chosen.value.get(keyOf(of, view)) ?? keptColumns(of, view) ?? viewOf(of).columns)
}

/** Whether a list shows other columns than the view keeps; without a view: than every list does at first. */
export function isRearranged(of: string, names: readonly string[], view?: ViewColumns): boolean {
  const kept = (view && keptColumns(of, view)) ?? viewOf(of).columns
  return shownColumns(of, kept).join() !== names.join()
}

/** Shows these columns from now on. The choice for a view lasts until the page is loaded again: saving the view keeps it. */
export function chooseColumns(of: string, names: readonly string[], view?: ViewColumns): void {
  chosen.value = new Map(chosen.value).set(keyOf(of, view), names)
  if (!view) remember(storageKey(of), JSON.stringify(names))
}

/** Shows the columns that the view keeps. */
export function forgetColumns(of: string, view: ViewColumns): void {
  chosen.value = new Map([...chosen.value].filter(([key]) => key !== keyOf(of, view)))
}

function keptColumns(of: string, view: ViewColumns | undefined): readonly string[] | undefined {
  return view?.columns?.length ? view.columns : remembered(of)
}

/** Those that the list can show, after the name. */
function shownColumns(of: string, names: readonly string[]): string[] {
  const known = availableColumns(of).map(({ name }) => name)
  return [...new Set([viewOf(of).columns[0]!, ...names.filter((name) => known.includes(name))])]
}

const chosen = signal<ReadonlyMap<string, readonly string[]>>(new Map())

function keyOf(of: string, view: ViewColumns | undefined): string {
  return view ? `${of} ${view.id}` : of
}

function storageKey(of: string): string {
  return `kontor.columns.${of}`
}

function remembered(of: string): string[] | undefined {
  try {
    const names: unknown = JSON.parse(recall(storageKey(of)) ?? 'null')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : undefined
  } catch {
    return undefined
  }
}
