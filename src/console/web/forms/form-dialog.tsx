import type { ComponentChildren } from 'preact'
import type { DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { Dialog, isConfirmed } from '../parts/dialog.tsx'
import { t } from '../text/texts.ts'
import { Form } from './form.tsx'
import type { FormState } from './use-form.ts'
import { useUnsaved } from './use-unsaved.ts'

interface FormDialogProps<T extends Values> {
  title: string
  small?: boolean
  at?: Element
  of: FormState<T>
  verb: string
  fields?: readonly DescribedField[]
  /** Whether the form can be sent; default: yes. */
  isReady?: boolean
  onClose: () => void
  children: ComponentChildren
}

/** A form in a dialog. It asks before it discards unsaved input. If it is closed while it is being sent, a notification shows the result. */
export function FormDialog<T extends Values>({
  title,
  small,
  at,
  of,
  verb,
  fields,
  isReady,
  onClose,
  children,
}: FormDialogProps<T>) {
  const mayClose = useDiscardQuestion(of)
  const close = async () => {
    if (!(await mayClose())) return
    of.leave()
    onClose()
  }
  return (
    <Dialog title={title} {...(small && { small })} {...(at && { at })} onClose={close}>
      <Form {...{ of, verb, isReady }} {...(fields && { fields })} other={{ label: t('Cancel'), onClick: close }}>
        {children}
      </Form>
    </Dialog>
  )
}

/** Asks before a form's unsaved input is discarded, inside or outside of a dialog. Resolves to whether it may be; always true while the form is being sent. */
export function useDiscardQuestion({
  busy,
  isChanged,
}: Pick<FormState<Values>, 'busy' | 'isChanged'>): () => Promise<boolean> {
  const mayLeave = async () => busy || !isChanged || (await isConfirmed(discarding))
  useUnsaved(isChanged, mayLeave)
  return mayLeave
}

const discarding = {
  title: t('Discard changes?'),
  body: t('Your changes are not saved.'),
  verb: t('Discard'),
  back: t('Keep editing'),
}
