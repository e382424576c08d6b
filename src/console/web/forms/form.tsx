import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { t } from '../text/texts.ts'
import { Conflicts } from './conflicts.tsx'
import type { FormState } from './use-form.ts'

interface FormProps<T extends Values> {
  of: FormState<T>
  verb: string
  /** The fields of a record, to show conflicts. */
  fields?: readonly DescribedField[]
  label?: string
  /** Whether it can be sent; default: yes. */
  isReady?: boolean | undefined
  /** Another button before the submit button. */
  other?: { label: string; onClick: () => void }
  children: ComponentChildren
}

export function Form<T extends Values>({
  of,
  verb,
  fields = [],
  label,
  isReady = true,
  other,
  children,
}: FormProps<T>) {
  return (
    <form class="stack" onSubmit={of.submit} onKeyDown={submitByKey} aria-busy={of.busy} aria-label={label} noValidate>
      <Conflicts of={of} fields={fields} />
      <div class="stack" inert={of.busy} key={of.generation}>
        {children}
      </div>
      <Unshown of={of} />
      <div class="actions">
        {other && (
          <button type="button" class="button" onClick={other.onClick}>
            {other.label}
          </button>
        )}
        <button type="submit" class="button primary" disabled={of.busy || !isReady}>
          {verb}
        </button>
      </div>
    </form>
  )
}

/** Ctrl+Enter sends a form, also from a text of several lines. */
function submitByKey(event: KeyboardEvent & { currentTarget: HTMLFormElement }): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')!.click()
}

/** Rendered after the fields, which have then claimed the errors that they show. */
function Unshown<T extends Values>({ of }: { of: FormState<T> }) {
  return <ErrorNotice error={of.error()} />
}

/** The attributes that connect an input with its label, hint and error. */
export interface Wiring {
  id: string
  class: string
  'aria-invalid'?: true
  'aria-describedby'?: string
  readOnly?: true
}

interface FieldProps {
  label: string
  /** Whether only screen readers read the label. */
  hidesLabel?: boolean
  hint?: string | undefined
  fault?: ComponentChildren
  wide?: boolean
  optional?: boolean
  isReadOnly?: boolean | undefined
  onLeave?: () => void
  children: (wiring: Wiring) => ComponentChildren
}

/** A labelled input with its error. */
export function Field({ label, hidesLabel, hint, fault, wide, optional, isReadOnly, onLeave, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const wiring: Wiring = {
    id,
    class: 'input',
    ...(fault && { 'aria-invalid': true as const }),
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(isReadOnly && { readOnly: true as const }),
  }
  return (
    <div class={wide ? 'field wide' : 'field'} onFocusOut={onLeave}>
      <label for={id} class={hidesLabel ? 'unseen' : ''}>
        {label}
        {optional && <span class="muted"> {t('(optional)')}</span>}
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

/** A new password. */
export function NewPasswordField(props: Omit<TextFieldProps, 'type' | 'autoComplete' | 'hint'>) {
  return <TextField {...props} type="password" autoComplete="new-password" hint={t('At least 10 characters')} />
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
    if (autoFocus) input.current!.focus() // browsers use the attribute only while a page or a dialog opens
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
