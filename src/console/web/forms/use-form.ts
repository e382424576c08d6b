import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type Detail, validationError } from '../../../errors.ts'
import { onceShown } from '../data/busy.ts'
import {
  type Amounts,
  type Conflict,
  changesOf,
  conflictsOf,
  retyped,
  type Side,
  settle,
  type Values,
} from '../data/form-merge.ts'
import { newOnce, type Once } from '../data/once.ts'
import { isOutdated, isRefused } from '../data/refused.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'

interface FormOptions<T extends Values, R> {
  initial: T
  /** The fields that hold amounts of money; default: none. */
  amounts?: Amounts
  /** What the browser finds wrong besides values that are `Invalid`; nothing is sent then. */
  faults?: (values: T) => readonly Detail[]
  /** Called before the form is sent. Throws to prevent that. */
  check?: (values: T, changed: Partial<T>) => Promise<void>
  /** Sends the form. `changed`: the values that differ from the initial ones; `once`: the key of a POST. */
  save(values: T, changed: Partial<T>, once: Once): Promise<R>
  /** Called after the response while the form is still open. */
  onSaved?: (result: R) => void
  /** Called after the response if the form was closed meanwhile. */
  onLate?: (result: R | Error) => void
  /** For an existing record: reads it again after the server rejected the change because the record changed in the meantime (412). */
  reread?: () => Promise<T>
}

export interface FieldState<V> {
  value: V
  onValue(value: V): void
  fault: string | undefined
}

export interface FormState<T extends Values> {
  values: T
  set(change: Partial<T>): void
  /** Sets initial values that are known late. Those that the user has changed stay. */
  fill(late: Partial<T>): void
  /** The props of an input. Reading a field's error marks it as shown there. */
  field<N extends keyof T & string>(name: N): FieldState<T[N]>
  fault(name: string): string | undefined
  /** The errors that no field shows. Call it after the fields have been rendered. */
  error(): Error | undefined
  busy: boolean
  isChanged: boolean
  conflicts: readonly Conflict[]
  choose(conflict: Conflict, side: Side): void
  /** Changes when the values are replaced, so that inputs with their own text start again. */
  generation: number
  submit(event: Event): void
  /** Marks the form as closed: `onLate` gets the result. */
  leave(): void
}

/** How often a change is merged without asking; each time, the server has responded with 412. */
const mergesMax = 5

/**
 * The state of a form: its values, which of them are unsaved, and how they are sent. A value that is `Invalid` is an error at its
 * field, and nothing is sent. Every error is shown: at its field if the form has one, otherwise above the buttons.
 */
export function useForm<T extends Values, R = unknown>(options: FormOptions<T, R>): FormState<T> {
  const edited = useEdited(options.initial)
  const { base, setBase, values, set, fill, corrected, setCorrected, conflicts, setConflicts } = edited
  const { choose, merge, generation } = edited
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const left = useRef(false)
  const sending = useRef(false)
  const once = useRef<Once>(undefined)
  const latest = useRef(options)
  latest.current = options
  useEffect(() => leave, [])
  const details = error instanceof ApiError ? (error.details ?? []) : []
  const shown = new Set<string>()
  const fault = (name: string) => {
    shown.add(name)
    return corrected.includes(rootOf(name)) || corrected.includes(name)
      ? undefined
      : details.find(({ field }) => field === name)?.message
  }
  return {
    ...{ values, fault, busy, conflicts, generation, submit, choose },
    isChanged: Object.keys(changesOf(base, values)).length > 0,
    set,
    fill,
    field: (name) => ({
      value: values[name],
      onValue: (value) => set({ [name]: value } as unknown as Partial<T>),
      fault: fault(name),
    }),
    error: () => unshown(error, details, shown),
    leave,
  }

  function leave(): void {
    left.current = true
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (sending.current) return // two clicks may arrive before the button is disabled
    sending.current = true
    const form = event.currentTarget as HTMLFormElement
    const focused = document.activeElement
    setError(undefined)
    setCorrected([])
    const sent = send().finally(() => {
      sending.current = false
    })
    sent.then(
      (result) => finish(result, form, focused),
      (reason) => {
        if (left.current) {
          options.onLate?.(reason)
          return
        }
        if (isRefused(reason)) once.current = undefined // nothing was written: the next one is another request
        setError(reason)
        setBusy(false)
        onceShown(() => focusAgain(form, focused))
      },
    )
  }

  function finish(result: R, form: HTMLFormElement, focused: Element | null): void {
    if (left.current) return void options.onLate?.(result)
    once.current = undefined
    setBusy(false)
    setBase(values)
    setConflicts([])
    latest.current.onSaved?.(result)
    onceShown(() => focusAgain(form, focused))
  }

  /** Throws VALIDATION_ERROR, CONFLICT. */
  async function send(): Promise<R> {
    const invalid = [...invalidOf(values), ...(options.faults?.(values) ?? [])]
    if (invalid.length > 0) throw validationError(invalid)
    if (conflicts.some(({ choice }) => !choice))
      throw new ApiError('CONFLICT', t('Choose mine or theirs for each field above.'))
    await options.check?.(values, changesOf(base, values))
    setBusy(true)
    const saved = await saveMerging(options, once, base, values, setBase)
    if ('result' in saved) return saved.result
    merge(saved.conflicts)
    throw new ApiError('CONFLICT', t('Somebody else changed this in the meantime. Nothing is saved yet.'))
  }
}

/** The values of a form: what they were, what the user has changed, and what others have changed meanwhile. */
function useEdited<T extends Values>(initial: T) {
  const [base, setBase] = useState<T>(initial)
  const [values, setValues] = useState<T>(initial)
  /** The fields that changed since the server rejected their values. */
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const [generation, setGeneration] = useState(0)
  return {
    ...{ base, setBase, values, set, fill, corrected, setCorrected },
    ...{ conflicts, setConflicts, merge, choose, generation },
  }

  function set(change: Partial<T>): void {
    const edited = { ...values, ...change }
    setValues((before) => ({ ...before, ...change }))
    setCorrected((before) => [...new Set([...before, ...Object.keys(changesOf(values, edited))])])
    setConflicts((before) => retyped(before, values, edited))
  }

  function fill(late: Partial<T>): void {
    const untouched = (before: T) => Object.entries(late).filter(([name]) => before[name] === initial[name])
    setBase((before) => ({ ...before, ...Object.fromEntries(untouched(before)) }))
    setValues((before) => ({ ...before, ...Object.fromEntries(untouched(before)) }))
  }

  function merge(found: readonly Conflict[]): void {
    setConflicts(found)
    setValues((before) =>
      found.reduce((merged, each) => (each.choice ? settle(merged, each, each.choice) : merged), before),
    )
    setGeneration((before) => before + 1)
  }

  function choose(chosen: Conflict, choice: Side): void {
    setConflicts((before) => before.map((each) => (each.name === chosen.name ? { ...each, choice } : each)))
    setValues((before) => settle(before, chosen, choice))
    setGeneration((before) => before + 1)
  }
}

/** Saves what differs from what is stored. If others have changed other fields meanwhile, saves again with a new key; `onTheirs` gets what they stored. */
async function saveMerging<T extends Values, R>(
  { save, reread, amounts = {} }: FormOptions<T, R>,
  once: { current: Once | undefined },
  base: T,
  values: T,
  onTheirs: (theirs: T) => void,
): Promise<{ result: R } | { conflicts: readonly Conflict[] }> {
  let known = base
  for (let merges = 0; ; merges++) {
    once.current ??= newOnce()
    try {
      return { result: await save(values, changesOf(known, values), once.current) }
    } catch (reason) {
      if (!reread || merges === mergesMax || !isOutdated(reason)) throw reason
      once.current = undefined
      const theirs = await reread()
      const conflicts = conflictsOf(known, values, theirs, amounts)
      known = theirs
      onTheirs(theirs)
      if (conflicts.length > 0) return { conflicts }
    }
  }
}

function invalidOf(values: Values): Detail[] {
  return Object.entries(values).flatMap(([field, value]): Detail[] =>
    value instanceof Invalid ? [{ field, message: value.message, code: 'INVALID_VALUE' }] : [],
  )
}

/** The first name in a path: `emails` of `emails[1].email`. */
function rootOf(field: string): string {
  return field.replace(/[[.].*/, '')
}

function unshown(error: Error | undefined, details: readonly Detail[], shown: ReadonlySet<string>): Error | undefined {
  if (details.length === 0) return error
  const others = details.filter(({ field }) => !shown.has(field)).map(({ message }) => message)
  return others.length > 0 ? new Error(others.join('. ')) : undefined
}

/** Restores the focus after the form was sent: its fields are inert meanwhile, so they lose the focus. An error of no field is scrolled into view. */
function focusAgain(form: HTMLFormElement, focused: Element | null): void {
  const field =
    form.querySelector(':is(input, select, textarea)[aria-invalid="true"], fieldset[aria-invalid="true"] input') ??
    form.querySelector('.conflicts input')
  const target = field ?? focused
  if (form.isConnected && target instanceof HTMLElement) target.focus()
  if (!field) form.querySelector(':scope > [role="alert"]')?.scrollIntoView({ block: 'nearest' })
}
