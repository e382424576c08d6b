import { post } from '../data/http.ts'
import { Field, TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { durationText } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { noteOwnChange, type Webhook, type WebhookWithSecret, webhooksPath } from './webhook.ts'

interface RotateProps {
  of: Webhook
  onRotated: (secret: string) => void
  onClose: () => void
}

const overlapHours = [0, 1, 24, 72, 168]

/** Replaces the secret of a webhook. */
export function RotateSecret({ of, onRotated, onClose }: RotateProps) {
  const form = useForm<{ overlap_hours: number }, WebhookWithSecret>({
    initial: { overlap_hours: 24 },
    save: (values, _, once) => post<WebhookWithSecret>(`${webhooksPath}/${of.id}/rotate`, values, once),
    onSaved: ({ secret }) => onRotated(secret),
    onLate(saved) {
      if (saved instanceof Error) notify(t('Secret not replaced: {message}', { message: saved.message }))
      else onRotated(saved.secret) // the only time that it is shown
    },
  })
  const { value, onValue, fault } = form.field('overlap_hours')
  return (
    <FormDialog title={t('Rotate the secret')} small verb={t('Rotate secret')} of={form} onClose={onClose}>
      <p>{t('A new secret is created and shown once. Until the overlap ends, deliveries are signed with both.')}</p>
      <Field label={t('Overlap')} fault={fault}>
        {(wiring) => (
          <select {...wiring} value={String(value)} onChange={(event) => onValue(Number(event.currentTarget.value))}>
            {overlapHours.map((hours) => (
              <option key={hours} value={String(hours)}>
                {hours === 0 ? t('None: replace it now') : durationText(hours * 3_600_000)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  )
}

interface ReplayProps {
  of: Webhook
  onQueued: () => void
  onClose: () => void
}

/** Delivers a range of changes again. */
export function Replay({ of, onQueued, onClose }: ReplayProps) {
  const queued = () => {
    notify(t('Replay started.'))
    noteOwnChange()
    onQueued()
  }
  const form = useForm({
    initial: { after: '', until: '', only_failed: false },
    save: ({ after, until, only_failed }, _, once) => {
      const body = {
        ...(after !== '' && { after: numberIn(after) }),
        ...(until !== '' && { until: numberIn(until) }),
        only_failed,
      }
      return post(`${webhooksPath}/${of.id}/replay`, body, once)
    },
    onSaved: queued,
    onLate: (saved) =>
      saved instanceof Error ? notify(t('Replay not started: {message}', { message: saved.message })) : queued(),
  })
  const { value, onValue } = form.field('only_failed')
  return (
    <FormDialog title={t('Replay changes')} small verb={t('Replay')} of={form} onClose={onClose}>
      <p>
        {t('Sends changes again, each with the same webhook-id as before. Deliveries show the numbers of changes.')}
      </p>
      <div class="fields">
        <TextField label={t('After change')} hint={t('Begins with the next one')} {...form.field('after')} autoFocus />
        <TextField label={t('Up to change')} hint={t('Default: the newest')} {...form.field('until')} optional />
      </div>
      <label class="check">
        <input type="checkbox" checked={value} onChange={(event) => onValue(event.currentTarget.checked)} />
        {t('Only changes whose delivery has failed')}
      </label>
    </FormDialog>
  )
}

/** Anything but a number is sent as it was typed, for the server to refuse. */
function numberIn(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text
}
