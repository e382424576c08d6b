import { useState } from 'preact/hooks'
import type { ApiKey } from '../../../access/key.ts'
import { word } from '../format.ts'
import { patch, post } from '../http.ts'
import { environmentOf } from '../place.ts'
import { fieldOf, isAdmin } from '../session.ts'
import type { Choice } from './combobox.tsx'
import { Dialog } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { type Faults, Field, Form, TextField, useSubmit } from './form.tsx'
import { ScopePicker } from './scope-picker.tsx'

interface KeyFormProps {
  apiKey?: ApiKey
  onSaved: (key: ApiKey) => void
  onClose: () => void
}

interface Values {
  name: string
  description: string
  scopes: string[]
  environment: string
  type: string
  user_id: Choice | null
  expires_at: unknown
}

/** Creates a key, or changes what may be changed of one. */
export function KeyForm(props: KeyFormProps) {
  const { apiKey, onClose } = props
  const { values, set, submission } = useKey(props)
  const { faults } = submission
  return (
    <Dialog title={apiKey ? 'Edit key' : 'New API key'} onClose={onClose}>
      <Form of={submission} verb={apiKey ? 'Save' : 'Create key'} onCancel={onClose}>
        <TextField
          label="Name"
          hint="What it is for: the program, the place"
          value={values.name}
          onValue={(name) => set({ name })}
          fault={faults.name}
          autoFocus
        />
        <TextField
          label="Description"
          value={values.description}
          onValue={(text) => set({ description: text })}
          fault={faults.description}
          optional
        />
        <ScopePicker scopes={values.scopes} onScopes={(scopes) => set({ scopes })} fault={faults.scopes} />
        <div class="fields">
          {!apiKey && <KindInputs {...{ values, set, faults }} />}
          <FieldInput
            field={{ ...fieldOf('api_key', 'expires_at'), label: 'Expires' }}
            value={values.expires_at}
            onValue={(moment) => set({ expires_at: moment })}
            fault={faults.expires_at}
          />
        </div>
      </Form>
    </Dialog>
  )
}

/** The form's values, and how they are saved. */
function useKey({ apiKey, onSaved }: KeyFormProps) {
  const [values, setValues] = useState<Values>(() => ({
    name: apiKey?.name ?? '',
    description: apiKey?.description ?? '',
    scopes: apiKey?.scopes ?? ['read:all'],
    environment: environmentOf(location.pathname),
    type: isAdmin() ? 'shared' : 'personal',
    user_id: null,
    expires_at: apiKey?.expires_at ?? null,
  }))
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }))
  const submission = useSubmit(async () => {
    const { environment, type, user_id, ...changeable } = values
    const owner = type === 'personal' && isAdmin() ? { user_id: user_id?.id ?? null } : {}
    const body = { ...changeable, environment, type, ...owner }
    onSaved(
      await (apiKey ? patch<ApiKey>(`/api-v1-keys/${apiKey.id}`, changeable) : post<ApiKey>('/api-v1-keys', body)),
    )
  })
  return { values, set, submission }
}

interface KindInputsProps {
  values: Values
  set: (change: Partial<Values>) => void
  faults: Faults
}

/** What cannot be changed later: the data, and whose the key is. */
function KindInputs({ values, set, faults }: KindInputsProps) {
  return (
    <>
      <Select
        label="Data"
        options={['live', 'test']}
        value={values.environment}
        onValue={(environment) => set({ environment })}
      />
      {isAdmin() && (
        <Select
          label="Type"
          hint={values.type === 'shared' ? 'Belongs to the company' : 'Revoked when its user leaves'}
          options={['shared', 'personal']}
          value={values.type}
          onValue={(type) => set({ type })}
        />
      )}
      {isAdmin() && values.type === 'personal' && (
        <FieldInput
          field={{ ...fieldOf('api_key', 'user_id'), label: 'User', required: true }}
          value={values.user_id}
          onValue={(choice) => set({ user_id: choice as Choice | null })}
          fault={faults.user_id}
        />
      )}
    </>
  )
}

interface SelectProps {
  label: string
  hint?: string
  options: string[]
  value: string
  onValue: (value: string) => void
}

function Select({ label, hint, options, value, onValue }: SelectProps) {
  return (
    <Field label={label} hint={hint}>
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
