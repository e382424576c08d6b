import { useRef } from 'preact/hooks'
import type { ApiKey } from '../../../access/key.ts'
import type { Choice } from '../data/choice.ts'
import { get, patch, post } from '../data/http.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { Field, TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { environmentOf } from '../session/place.ts'
import { fieldOf, isAdmin, resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import type { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { ScopePicker } from './scope-picker.tsx'

interface KeyFormProps {
  apiKey?: ApiKey
  onSaved: (key: ApiKey) => void
  onClose: () => void
}

interface KeyValues extends Record<string, unknown> {
  name: string
  description: string
  scopes: string[]
  expires_at: unknown
  mcp_mode: string
  /** Only for a new key, like `type` and `user_id`. */
  environment?: string
  type?: string
  user_id?: Choice | Invalid | null
}

/** Creates a key, or edits an existing one. */
export function KeyForm(props: KeyFormProps) {
  const { apiKey, onClose } = props
  const form = useKey(props)
  return (
    <FormDialog
      title={apiKey ? t('Edit key') : t('New API key')}
      verb={apiKey ? t('Save') : t('Create key')}
      fields={resourceOf('api_key').fields}
      {...{ of: form, onClose }}
    >
      <TextField
        label={t('Name')}
        hint={t('For example, the program that uses it')}
        {...form.field('name')}
        autoFocus
      />
      <TextField label={t('Description')} {...form.field('description')} optional />
      <ScopePicker {...form.field('scopes')} />
      <div class="fields">
        {!apiKey && <KindInputs form={form} />}
        <FieldInput
          field={{ ...fieldOf('api_key', 'expires_at'), label: t('Expires') }}
          {...form.field('expires_at')}
        />
        <Select
          label={t('Agents may')}
          hint={t('Through MCP, within the scopes')}
          options={['read', 'propose', 'write']}
          {...form.field('mcp_mode')}
        />
      </div>
    </FormDialog>
  )
}

/** The form's state. */
function useKey({ apiKey, onSaved }: KeyFormProps): FormState<KeyValues> {
  const path = `/api-v1-keys/${apiKey?.id}`
  const known = useRef(apiKey)
  return useForm<KeyValues, ApiKey>({
    initial: apiKey
      ? changeableOf(apiKey)
      : {
          ...{ name: '', description: '', scopes: ['read:all'], expires_at: null, user_id: null },
          mcp_mode: 'write',
          environment: environmentOf(location.pathname),
          type: isAdmin() ? 'shared' : 'personal',
        },
    async save(values, changed, once) {
      if (!known.current) return post<ApiKey>('/api-v1-keys', bodyOf(values), once)
      return Object.keys(changed).length > 0 ? patch<ApiKey>(path, changed, known.current) : known.current
    },
    onSaved,
    onLate(saved) {
      if (saved instanceof Error) notify(t('Key not saved: {message}', { message: saved.message }))
      else if (apiKey) notify(t('Too late to cancel: the key was saved.'))
      else onSaved(saved) // the only time that the secret is shown
    },
    ...(apiKey && {
      async reread() {
        known.current = await get<ApiKey>(path)
        return changeableOf(known.current)
      },
    }),
  })
}

function changeableOf({ name, description, scopes, expires_at, mcp_mode }: ApiKey): KeyValues {
  return { name, description: description ?? '', scopes, expires_at, mcp_mode }
}

/** The request's body. Admins choose the user of a personal key; a member's key belongs to the member. */
function bodyOf({ user_id, ...values }: KeyValues): Record<string, unknown> {
  const isOwned = values.type === 'personal' && isAdmin()
  return { ...values, ...(isOwned && { user_id: user_id && 'id' in user_id ? user_id.id : null }) }
}

/** Inputs for values that cannot be changed later: the environment and the owner. */
function KindInputs({ form }: { form: FormState<KeyValues> }) {
  const { type } = form.values
  return (
    <>
      <Select label={t('Data')} options={['live', 'test']} {...form.field('environment')} />
      {isAdmin() && (
        <Select
          label={t('Type')}
          hint={type === 'shared' ? t('Belongs to the company') : t('Revoked when its user leaves')}
          options={['shared', 'personal']}
          {...form.field('type')}
        />
      )}
      {isAdmin() && type === 'personal' && (
        <FieldInput
          field={{ ...fieldOf('api_key', 'user_id'), label: t('User'), required: true }}
          value={form.values.user_id}
          onValue={(user_id) => form.set({ user_id: user_id as Choice | Invalid | null })}
          fault={form.fault('user_id')}
        />
      )}
    </>
  )
}

interface SelectProps {
  label: string
  hint?: string
  options: string[]
  value: string | undefined
  onValue: (value: string) => void
  fault: string | undefined
}

function Select({ label, hint, options, value, onValue, fault }: SelectProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {word(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
