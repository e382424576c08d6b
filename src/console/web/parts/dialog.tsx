import { signal } from '@preact/signals'
import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { rememberOpener } from '../focus.ts'
import { Fault } from './fault.tsx'
import { Icon } from './icon.tsx'

interface DialogProps {
  title: string
  small?: boolean
  /** Without it, the dialog cannot be closed but by what is in it. */
  onClose?: () => void
  children: ComponentChildren
}

/** A modal dialog, open as long as it is rendered. A click beside it does not close it: what was typed would be lost. */
export function Dialog({ title, small, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    rememberOpener(element.current!)
    element.current!.showModal()
  }, [])
  // Browsers close a dialog at the second Escape, whatever `cancel` says: the key is handled before, and what is closed all the same is shown again.
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
      class={small ? 'compact' : ''}
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={press}
      onCancel={cancel}
      onClose={showAgain}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" class="button quiet square small" aria-label="Close" onClick={onClose}>
            <Icon of={X} />
          </button>
        )}
      </header>
      <div class="body">{children}</div>
    </dialog>
  )
}

interface Question {
  title: string
  /** What it means, in a sentence or two. */
  body: string
  /** On the button: the verb. */
  verb: string
  /** On the other button; default: Cancel. */
  back?: string
  run: () => Promise<unknown>
  onBack?: () => void
}

const question = signal<Question | undefined>(undefined)

/** Asks before something that cannot be taken back, then does it. */
export function ask(about: Question): void {
  question.value?.onBack?.()
  question.value = about
}

/** Asks, and answers whether the user wants it. */
export function isConfirmed(about: Omit<Question, 'run' | 'onBack'>): Promise<boolean> {
  return new Promise((resolve) => ask({ ...about, run: async () => resolve(true), onBack: () => resolve(false) }))
}

export function Asked() {
  return question.value ? <Ask {...question.value} /> : null
}

function Ask({ title, body, verb, back = 'Cancel', run, onBack }: Question) {
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const close = () => {
    question.value = undefined
  }
  const goBack = () => {
    close()
    onBack?.()
  }
  const confirm = () => {
    setBusy(true)
    run().then(close, (reason) => {
      setError(reason)
      setBusy(false)
    })
  }
  return (
    <Dialog title={title} small {...(!busy && { onClose: goBack })}>
      <p>{body}</p>
      <Fault error={error} />
      <div class="actions">
        <button type="button" class="button" disabled={busy} onClick={goBack}>
          {back}
        </button>
        <button type="button" class="button danger primary" disabled={busy} onClick={confirm}>
          {verb}
        </button>
      </div>
    </Dialog>
  )
}
