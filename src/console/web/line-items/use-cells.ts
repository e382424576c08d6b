import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type Detail } from '../../../errors.ts'
import { decimalText, parseExactDecimal, withoutPercentSign } from '../text/decimal.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { type CellName, type CellsBefore, type CellValues, cellNames, type Item, type Offered } from './deal-items.ts'

type Faults = Partial<Record<CellName, string>>
type Typed = Partial<Record<CellName, unknown>>

/** The cells of a row: what is saved, and what has been typed since. */
export interface Cells {
  valueOf(name: CellName): unknown
  faultOf(name: CellName): string | undefined
  isChanged(name?: CellName): boolean
  /** Whether a cell shows what is saved. */
  isAsSaved(name: CellName): boolean
  isSaving: boolean
  type(name: CellName, value: unknown): void
  /** Takes back what was typed into a cell. Returns whether there was anything. */
  takeBack(name: CellName): boolean
  /**
   * Saves what was typed until now. A new row waits for a product or a name. A cell with an error of the server is sent again after a change,
   * or if the user `insists`.
   */
  commit(how?: Commit): Promise<void>
}

interface Commit {
  /** The row has lost the focus. */
  isLeft?: boolean
  /** The cell in which Enter was pressed. */
  insists?: CellName
}

interface UseCellsOptions {
  /** Undefined: a new row. */
  item: Item | undefined
  save(values: CellValues, before: CellsBefore): Promise<void>
}

export function useCells({ item, save }: UseCellsOptions): Cells {
  const typed = useRef<Typed>({})
  /** What cells had when typing into them began: somebody else may change them while one types. */
  const before = useRef<Typed>({})
  /** Cells that the server has refused, each with its error. */
  const refused = useRef<Typed>({})
  const latest = useRef({ item, save })
  const [faults, setFaults] = useState<Faults>({})
  const [isSaving, setSaving] = useState(false)
  const [, setTurn] = useState(0)
  const running = useRef<Promise<void> | undefined>(undefined)
  const isAlive = useRef(true)
  latest.current = { item, save }
  useLayoutEffect(
    () => () => {
      isAlive.current = false
    },
    [],
  )
  const change = (next: Typed) => {
    typed.current = next
    if (isAlive.current) setTurn((turn) => turn + 1)
  }
  const forget = (names: readonly CellName[]) =>
    change(only(typed.current, (name) => !names.includes(name as CellName)))

  /** `asked`: the cells when the save was asked for. One that has changed since is still typed into. */
  async function saveTyped(asked: Typed, { isLeft = false, insists }: Commit): Promise<void> {
    const isNew = latest.current.item === undefined
    const isKept = (name: string) => !isNew && name in refused.current && name !== insists
    const isCurrent = (name: string) => asked[name as CellName] === typed.current[name as CellName]
    const sent = only(asked, (name) => isCurrent(name) && !isKept(name))
    if (Object.keys(sent).length === 0) return
    const { values, faults: found } = readCells(sent, latest.current.item)
    const hasName = values.name !== undefined || values.product_id !== undefined
    const isWaiting = isNew && (!hasName || Object.keys(found).length > 0)
    const unnamed: Faults = isNew && !hasName && isLeft ? { name: t('Choose a product, or enter a name') } : {}
    setFaults((before) => ({ ...only(before, isKept), ...found, ...unnamed }))
    if (isWaiting) return
    refused.current = only(refused.current, isKept)
    const known = before.current as CellsBefore
    const isOther = (name: string) => !(name in sent || name in values)
    before.current = only(before.current, isOther) // from now on, what is saved
    try {
      if (Object.keys(values).length > 0) await latest.current.save(values, known)
      before.current = only(before.current, isOther)
      forget(cellNames.filter((name) => name in sent && !(name in found) && typed.current[name] === sent[name]))
    } catch (error) {
      const names = Object.keys(values) as CellName[]
      const faults = faultsOf(error as Error, names)
      const isAnswered = error instanceof ApiError && error.status < 500 // otherwise it is sent with the next change
      const own = only(values, (name) => isAnswered && name in faults)
      refused.current = { ...refused.current, ...own }
      const isTold = error instanceof ApiError && error.code === 'CONFLICT' // the user knows what the cells have now
      if (!isTold) before.current = { ...only(known, (name) => !isOther(name)), ...before.current }
      setFaults((before) => ({ ...before, ...faults }))
      const count = Object.keys(own).length
      const isPartly = !isNew && detailsOf(error).length > 0 && count > 0 && count < names.length
      if (isPartly) await saveTyped(asked, {}) // the others
    }
  }

  return {
    isSaving,
    valueOf: (name) => (name in typed.current ? typed.current[name] : shownOf(item, name)),
    faultOf: (name) => faults[name],
    isChanged: (name) => (name === undefined ? Object.keys(typed.current).length > 0 : name in typed.current),
    isAsSaved: (name) => !(name in typed.current) || typed.current[name] === shownOf(item, name),
    type(name, value) {
      refused.current = only(refused.current, (each) => each !== name)
      if (item && !(name in typed.current)) before.current = { ...before.current, [name]: item.cells[name] }
      change({ ...typed.current, [name]: value })
    },
    takeBack(name) {
      const { [name]: fault, ...others } = faults
      if (!(name in typed.current) && fault === undefined) return false
      setFaults(others)
      refused.current = only(refused.current, (each) => each !== name)
      forget([name])
      return true
    },
    async commit(how = {}) {
      if (Object.keys(typed.current).length === 0) return
      const asked = typed.current
      setSaving(true)
      const started = (running.current ?? Promise.resolve()).then(() => saveTyped(asked, how))
      running.current = started
      await started
      if (running.current === started && isAlive.current) setSaving(false)
    },
  }
}

function only<T extends Typed>(cells: T, has: (name: string) => boolean): T {
  return Object.fromEntries(Object.entries(cells).filter(([name]) => has(name))) as T
}

/** What a cell shows while nothing is typed. */
function shownOf(item: Item | undefined, name: CellName): unknown {
  if (!item) return name === 'product_id' ? null : ''
  const value = item.cells[name]
  return name === 'product_id' || name === 'name' ? value : decimalText(value as string)
}

/** The values of what was typed, and what is wrong with the other cells. What is as it was before is left out. */
function readCells(typed: Typed, item: Item | undefined): { values: CellValues; faults: Faults } {
  const [values, faults]: [CellValues, Faults] = [{}, {}]
  for (const name of cellNames.filter((each) => each in typed)) {
    const value = name === 'product_id' ? typed[name] : read(name, String(typed[name]), item)
    if (value instanceof Invalid) faults[name] = value.message
    else if (name !== 'product_id') Object.assign(values, value !== undefined && { [name]: value })
    else Object.assign(values, productValues(value as Offered | null, typed, item))
  }
  const isSame = ([name, value]: [string, unknown]) => item?.cells[name as CellName] === value
  return { values: Object.fromEntries(Object.entries(values).filter((each) => !isSame(each))), faults }
}

/** The text of a name, or the digits of a number. An emptied cell gets its default, which a new row leaves to the server. */
function read(name: CellName, text: string, item: Item | undefined): string | null | undefined | Invalid {
  const value =
    name === 'name'
      ? text.trim() || null
      : parseExactDecimal(name.endsWith('_percent') ? withoutPercentSign(text) : text)
  if (value !== null) return value
  return item ? defaults[name] : undefined
}

const defaults: Partial<Record<CellName, string | null>> = {
  ...{ name: null, quantity: '1', unit_price: '0', discount_percent: '0', tax_percent: '0' },
}

/** Another product brings its name and its price. */
function productValues(product: Offered | null, typed: Typed, item: Item | undefined): CellValues {
  if (!item) return product ? { product_id: product.id } : {}
  if (!product) return { product_id: null }
  return {
    product_id: product.id,
    ...(!('name' in typed) && { name: product.label }),
    ...(!('unit_price' in typed) && product.price !== null && { unit_price: product.price }),
  }
}

/** Each error at its cell; one that names none, at the first of those that were sent. */
function faultsOf(error: Error, sent: readonly CellName[]): Faults {
  const named = detailsOf(error)
  if (named.length === 0) return { [sent[0]!]: error.message }
  return Object.fromEntries(named.map(({ field, message }) => [field, message]))
}

function detailsOf(error: unknown): Detail[] {
  const details = error instanceof ApiError ? (error.details ?? []) : []
  return details.filter(({ field }) => cellNames.includes(field as CellName))
}
