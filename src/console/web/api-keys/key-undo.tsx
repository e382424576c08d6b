import { useState } from 'preact/hooks'
import type { ApiKey } from '../../../access/key.ts'
import { MomentInput } from '../forms/day-input.tsx'
import { Field, Form } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Dialog } from '../parts/dialog.tsx'
import { now } from '../session/now.ts'
import { startOfDay } from '../text/days.ts'
import { isEndOfDay, moment } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { UndoDialog } from '../undo/undo-dialog.tsx'

interface KeyUndoProps {
  of: ApiKey
  onClose: () => void
}

/** Undoes what a key has changed since a moment: asks for the moment, then shows what would happen. */
export function KeyUndo({ of: { id, name }, onClose }: KeyUndoProps) {
  const [since, setSince] = useState<string>()
  if (!since) return <Since name={name} onSince={setSince} onClose={onClose} />
  return (
    <UndoDialog
      title={t('Undo what {name} did since {moment}?', { name, moment: moment(since) })}
      selections={[{ key_id: id, since }]}
      effect={t('Deleted, or restored if the key deleted them')}
      onClose={onClose}
    />
  )
}

interface SinceProps {
  name: string
  onSince: (since: string) => void
  onClose: () => void
}

function Since({ name, onSince, onClose }: SinceProps) {
  const form = useForm<{ since: unknown }, string>({
    initial: { since: startOfDay(now()).toISOString() },
    async save({ since }) {
      if (typeof since !== 'string') throw new Error(t('Enter a date.'))
      return since
    },
    onSaved: (since) => onSince(beginning(since)),
  })
  const { value, onValue, fault } = form.field('since')
  return (
    <Dialog title={t('Undo changes of {name}', { name })} small onClose={onClose}>
      <Form of={form} verb={t('Show what would be undone')} other={{ label: t('Cancel'), onClick: onClose }}>
        <Field
          label={t('Undo what this key did since')}
          hint={t('Without a time: the beginning of that day. Imports that it started are included.')}
          fault={fault ?? (value instanceof Invalid ? value.message : undefined)}
        >
          {(wiring) => <MomentInput {...{ wiring, value, onValue }} label={t('Since')} />}
        </Field>
      </Form>
    </Dialog>
  )
}

/** A date without a time is read as the end of its day, here it means the beginning. */
function beginning(since: string): string {
  const date = new Date(since)
  return isEndOfDay(date) ? startOfDay(date).toISOString() : since
}
