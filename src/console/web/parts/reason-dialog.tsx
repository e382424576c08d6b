import { t } from '../texts.ts'
import type { Row } from '../views.ts'
import { Field } from './form.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './use-form.ts'

interface ReasonDialogProps {
  deal: Row
  /** The stage to which the deal is moved. */
  to: Row
  onMove: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks why a deal is lost. The reason may be left empty. */
export function ReasonDialog({ deal, to, onMove, onClose }: ReasonDialogProps) {
  const form = useForm({
    initial: { reason: '' },
    save: ({ reason }) => onMove(reason.trim()),
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={t('Mark as lost: {title}', { title: deal.title })}
      small
      verb={t('Move to {name}', { name: to.name })}
      of={form}
      onClose={onClose}
    >
      <Field
        label={t('Reason')}
        hint={t('Kept as a note. The probability becomes 0 %.')}
        fault={form.fault('reason')}
        optional
      >
        {(wiring) => (
          <input
            {...wiring}
            value={form.values.reason}
            autoComplete="off"
            onInput={(event) => form.set({ reason: event.currentTarget.value })}
          />
        )}
      </Field>
    </FormDialog>
  )
}
