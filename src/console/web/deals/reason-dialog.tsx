import type { Row } from '../data/resource-views.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../text/texts.ts'
import { ReasonField } from './reason-field.tsx'

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
      <ReasonField {...form.field('reason')} />
    </FormDialog>
  )
}
