import { useRef } from 'preact/hooks'
import { get, patch, post } from '../http.ts'
import { href } from '../place.ts'
import { resourceOf } from '../session.ts'
import { notifyChange } from '../undo.ts'
import { noteOwnChange, type Webhook, type WebhookWithSecret, webhooksPath } from '../webhooks.ts'
import { EventPicker } from './event-picker.tsx'
import { Field, TextField } from './form.tsx'
import { FormDialog } from './form-dialog.tsx'
import { notify } from './notes.tsx'
import { type FormState, useForm } from './use-form.ts'

type Saved = Webhook | WebhookWithSecret

interface WebhookFormProps {
  /** As it was read by its id; absent: a new one is created. */
  webhook?: Webhook
  /** A new webhook has its secret, unless it existed already. */
  onSaved: (webhook: Saved) => void
  onClose: () => void
}

interface WebhookValues extends Record<string, unknown> {
  url: string
  description: string
  events: string[]
  payload: Webhook['payload']
  ordered: boolean
}

/** Creates a webhook, or edits an existing one. */
export function WebhookForm(props: WebhookFormProps) {
  const { webhook, onClose } = props
  const form = useWebhook(props)
  const payload = form.field('payload')
  const ordered = form.field('ordered')
  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : 'New webhook'}
      verb={webhook ? 'Save' : 'Create webhook'}
      fields={resourceOf('webhook').fields}
      {...{ of: form, onClose }}
    >
      <TextField label="URL" hint="Changes are sent here as POST requests" {...form.field('url')} autoFocus />
      <TextField label="Description" {...form.field('description')} optional />
      <EventPicker {...form.field('events')} />
      <Field
        label="Payload"
        hint={payload.value === 'full' ? 'With the record and its former values' : 'Only which record has changed'}
        fault={payload.fault}
      >
        {(wiring) => (
          <select
            {...wiring}
            value={payload.value}
            onChange={(event) => payload.onValue(event.currentTarget.value as Webhook['payload'])}
          >
            <option value="full">Full</option>
            <option value="thin">Thin</option>
          </select>
        )}
      </Field>
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={ordered.value}
            onChange={(event) => ordered.onValue(event.currentTarget.checked)}
          />
          Keep the order: each delivery waits for the one before
        </label>
        {ordered.fault && <span class="fault">{ordered.fault}</span>}
      </div>
    </FormDialog>
  )
}

/** The form's state. */
function useWebhook({ webhook, onSaved }: WebhookFormProps): FormState<WebhookValues> {
  const path = `${webhooksPath}/${webhook?.id}`
  const known = useRef(webhook)
  return useForm<WebhookValues, Saved>({
    initial: webhook
      ? changeableOf(webhook)
      : { url: '', description: '', events: [], payload: 'full', ordered: false },
    async save(values, changed) {
      if (!known.current) return post<Saved>(webhooksPath, values)
      return Object.keys(changed).length > 0 ? patch<Webhook>(path, changed, known.current) : known.current
    },
    onSaved(saved) {
      noteOwnChange()
      if (webhook) notifyChange('Saved.', saved)
      onSaved(saved)
    },
    onLate(saved) {
      if (saved instanceof Error) return notify(`Webhook not saved: ${saved.message}`)
      noteOwnChange()
      if (!webhook) return onSaved(saved) // the only time that the secret is shown
      notify('Too late to cancel: the webhook was saved.', { label: 'Open', href: href(`/webhooks/${saved.id}`) })
    },
    ...(webhook && {
      async reread() {
        known.current = await get<Webhook>(path)
        return changeableOf(known.current)
      },
    }),
  })
}

function changeableOf({ url, description, events, payload, ordered }: Webhook): WebhookValues {
  return { url, description: description ?? '', events, payload, ordered }
}
