import { signal } from '@preact/signals'
import { X } from 'lucide'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useAttempt } from '../data/use-attempt.ts'
import { t } from '../text/texts.ts'
import { ErrorNotice } from './error-notice.tsx'
import { rememberOpener } from './focus.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  title: string
  small?: boolean
  wide?: boolean
  /** The element over which the dialog is shown; default: in the middle of the window. */
  at?: Element
  /** Absent: only the dialog's content can close it. */
  onClose?: () => void
  children: ComponentChildren
}

/** A modal dialog, open while it is rendered. A click outside does not close it, which would discard its input. */
export function Dialog({ title, small, wide, at, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    rememberOpener(element.current!)
    element.current!.showModal()
    if (at) placeOver(element.current!, at)
    focusFirstField(element.current!)
  }, [])
  // Browsers close a dialog at the second Escape even if `cancel` is prevented: the key is handled first, and a closed dialog is shown again.
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose?.()
  }
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose?.()
  }
  const showAgain = () => element.current?.showModal()
  return (
    <dialog
      ref={element}
      class={at ? 'over' : small ? 'compact' : wide ? 'wide' : ''}
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={press}
      onCancel={cancel}
      onClose={showAgain}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" class="button quiet square small" aria-label={t('Close')} onClick={onClose}>
            <Icon of={X} />
          </button>
        )}
      </header>
      <div class="body">{children}</div>
    </dialog>
  )
}

/** Places a dialog over an element, within the window. */
function placeOver(dialog: HTMLElement, at: Element): void {
  const { left, top } = at.getBoundingClientRect()
  const { width, height } = dialog.getBoundingClientRect()
  dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
  dialog.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`
}

/** Focuses the first field. Browsers would focus the button that closes the dialog. */
function focusFirstField(dialog: HTMLDialogElement): void {
  const hasFocus = dialog.querySelector('.body')!.contains(document.activeElement)
  if (!hasFocus) dialog.querySelector<HTMLElement>('.body :is(input, select, textarea)')?.focus()
}

interface Question {
  title: string
  /** The consequences, in a sentence or two. */
  body: string
  /** The label of the button. */
  verb: string
  /** The label of the other button; default: Cancel. */
  back?: string
  run: () => Promise<unknown>
  onBack?: () => void
}

const question = signal<Question | undefined>(undefined)

/** Asks before an action that cannot be undone, then runs it. */
export function ask(about: Question): void {
  question.value?.onBack?.()
  question.value = about
}

/** Asks the user. Resolves to whether the user confirmed. */
export function isConfirmed(about: Omit<Question, 'run' | 'onBack'>): Promise<boolean> {
  return new Promise((resolve) => ask({ ...about, run: async () => resolve(true), onBack: () => resolve(false) }))
}

/** Dialogs that stay when their page is left. */
export const lasting = signal<readonly VNode[]>([])

export function Questions() {
  return (
    <>
      {lasting.value}
      {question.value && <Ask {...question.value} />}
    </>
  )
}

function Ask({ title, body, verb, back = t('Cancel'), run, onBack }: Question) {
  const id = useId()
  const { busy, error, attempt } = useAttempt()
  const close = () => {
    question.value = undefined
  }
  const goBack = () => {
    close()
    onBack?.()
  }
  const confirm = async () => {
    await run()
    close()
  }
  return (
    <Dialog title={title} small {...(!busy && { onClose: goBack })}>
      <p id={id}>{body}</p>
      <ErrorNotice error={error} />
      <div class="actions">
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer of a dialog that was just opened */}
        <button type="button" class="button" disabled={busy} onClick={goBack} aria-describedby={id} autoFocus>
          {back}
        </button>
        <button type="button" class="button danger primary" disabled={busy} onClick={() => void attempt(confirm)}>
          {verb}
        </button>
      </div>
    </Dialog>
  )
}
