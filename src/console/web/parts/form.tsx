import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../../errors.ts'
import { Fault } from './fault.tsx'

/** Messages by field, as the server gave them. */
export type Faults = Readonly<Record<string, string>>

interface Submission {
  faults: Faults
  error: Error | undefined
  busy: boolean
  submit(event: Event): void
}

/** Runs a form's action; the server's details go to their fields, which `known` names, the rest stands above. */
export function useSubmit(run: () => Promise<unknown>, known: (field: string) => boolean = () => true): Submission {
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement | null>(null)
  const details = error instanceof ApiError ? (error.details ?? []) : []
  const faults = Object.fromEntries(details.toReversed().map(({ field, message }) => [field, message]))
  const placed = details.length > 0 && details.every(({ field }) => known(field))
  return { faults, error: placed ? undefined : error, busy, submit }

  function submit(event: Event): void {
    event.preventDefault()
    form.current = event.currentTarget as HTMLFormElement
    setBusy(true)
    setError(undefined)
    run().then(
      () => setBusy(false),
      (reason) => {
        setError(reason)
        setBusy(false)
        requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      },
    )
  }
}

interface FormProps {
  of: Submission
  verb: string
  onCancel?: () => void
  children: ComponentChildren
}

export function Form({ of, verb, onCancel, children }: FormProps) {
  return (
    <form class="stack" onSubmit={of.submit} noValidate>
      {children}
      <Fault error={of.error} />
      <div class="actions">
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class="button primary" disabled={of.busy}>
          {verb}
        </button>
      </div>
    </form>
  )
}

/** What an input needs to belong to its label, hint and fault. */
export interface Wiring {
  id: string
  class: string
  'aria-invalid'?: true
  'aria-describedby'?: string
}

interface FieldProps {
  label: string
  hint?: string | undefined
  fault?: string | undefined
  wide?: boolean
  optional?: boolean
  children: (wiring: Wiring) => ComponentChildren
}

/** A labelled input with the fault that the server found in it. */
export function Field({ label, hint, fault, wide, optional, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const wiring: Wiring = {
    id,
    class: 'input',
    ...(fault && { 'aria-invalid': true as const }),
    ...(describedBy && { 'aria-describedby': describedBy }),
  }
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={id}>
        {label}
        {optional && <span class="muted"> (optional)</span>}
      </label>
      {children(wiring)}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  )
}

/** A password that is chosen. */
export function NewPasswordField(props: Omit<TextFieldProps, 'type' | 'autoComplete' | 'hint'>) {
  return <TextField {...props} type="password" autoComplete="new-password" hint="At least 10 characters" />
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onValue: (value: string) => void
  type?: 'text' | 'email' | 'password' | 'tel'
  autoComplete?: string
  autoFocus?: boolean
}

export function TextField({
  value,
  onValue,
  type = 'text',
  autoComplete = 'off',
  autoFocus,
  ...field
}: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (autoFocus) input.current!.focus() // browsers heed the attribute while a page or a dialog opens, not later
  }, [])
  return (
    <Field {...field}>
      {(wiring) => (
        <input
          {...wiring}
          ref={input}
          type={type as 'text'}
          value={value}
          autoComplete={autoComplete}
          // biome-ignore lint/a11y/noAutofocus: the first field of a form that was just opened
          autoFocus={autoFocus ?? false}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
