import { useRef } from 'preact/hooks'
import { get, patch, post } from '../data/http.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { href } from '../session/place.ts'
import { fieldOf, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { EventPicker } from './event-picker.tsx'
import { noteOwnChange, type Webhook, type WebhookWithSecret, webhooksPath } from './webhook.ts'

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
  payload: unknown
  ordered: unknown
}

/** Creates a webhook, or edits an existing one. */
export function WebhookForm(props: WebhookFormProps) {
  const { webhook, onClose } = props
  const form = useWebhook(props)
  return (
    <FormDialog
      title={webhook ? t('Edit webhook') : t('New webhook')}
      verb={webhook ? t('Save') : t('Create webhook')}
      fields={resourceOf('webhook').fields}
      {...{ of: form, onClose }}
    >
      <TextField label={t('URL')} hint={t('Changes are sent here as POST requests')} {...form.field('url')} autoFocus />
      <TextField label={t('Description')} {...form.field('description')} optional />
      <EventPicker {...form.field('events')} />
      <FieldInput
        field={fieldOf('webhook', 'payload')}
        hint={
          form.values.payload === 'full'
            ? t('With the record and its former values')
            : t('Only which record has changed')
        }
        {...form.field('payload')}
      />
      <FieldInput
        field={{ ...fieldOf('webhook', 'ordered'), label: t('Keep the order: each delivery waits for the one before') }}
        {...form.field('ordered')}
      />
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
    async save(values, changed, once) {
      if (!known.current) return post<Saved>(webhooksPath, bodyOf(values), once)
      return Object.keys(changed).length > 0 ? patch<Webhook>(path, bodyOf(changed), known.current) : known.current
    },
    onSaved(saved) {
      noteOwnChange()
      if (webhook) notifyChange(t('Saved.'), saved)
      onSaved(saved)
    },
    onLate(saved) {
      if (saved instanceof Error) return notify(t('Webhook not saved: {message}', { message: saved.message }))
      noteOwnChange()
      if (!webhook) return onSaved(saved) // the only time that the secret is shown
      notify(t('Too late to cancel: the webhook was saved.'), { label: t('Show'), href: href(`/webhooks/${saved.id}`) })
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

/** The request's body. What is empty is null, which the server calls missing. */
function bodyOf(values: Partial<WebhookValues>): Record<string, unknown> {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isEmpty(value) ? null : value]))
}
