import { Pencil, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { Choice } from '../data/choice.ts'
import { remove, request } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

const pathOf = (deal: Row, id: string) => `/api-v1-deals/${deal.id}/contacts/${id}`

interface DealPersonProps {
  deal: Row
  /** Somebody on the deal, with a `role`. */
  person: Row
  onChanged: () => void
}

/** The role of somebody on a deal, and buttons that change it and take the person off the deal. */
export function DealRole({ deal, person, onChanged }: DealPersonProps) {
  const [editing, setEditing] = useState(false)
  const { busy, error, attempt } = useAttempt()
  const name = titleOf('contact', person)
  const takeOff = () =>
    attempt(async () => {
      notifyChange(t('{name} is no longer on the deal.', { name }), await remove(pathOf(deal, person.id)))
      onChanged()
    })
  return (
    <span class="row">
      {person.role && <bdi class="muted small">{person.role}</bdi>}
      <button
        type="button"
        class="button quiet square"
        aria-label={t('Role of {name}', { name })}
        onClick={() => setEditing(true)}
      >
        <Icon of={Pencil} />
      </button>
      <button
        type="button"
        class="button quiet square"
        aria-label={t('Take {name} off the deal', { name })}
        disabled={busy}
        onClick={takeOff}
      >
        <Icon of={X} />
      </button>
      <ErrorNotice error={error} />
      {editing && (
        <DealPersonForm
          deal={deal}
          person={{ id: person.id, label: name, role: person.role ?? '' }}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      )}
    </span>
  )
}

interface DealPersonFormProps {
  deal: Row
  /** Default: a new one is chosen. */
  person?: Choice & { role: string }
  onClose: () => void
  onSaved: () => void
}

/** Adds somebody to a deal, or changes the role. */
export function DealPersonForm({ deal, person, onClose, onSaved }: DealPersonFormProps) {
  const form = useForm<{ contact: unknown; role: string }, Row>({
    initial: { contact: person ?? null, role: person?.role ?? '' },
    save: ({ contact, role }) =>
      request<Row>('PUT', pathOf(deal, (contact as Choice).id), { body: { role: role.trim() || null } }),
    onSaved(saved) {
      notifyChange(person ? t('Saved.') : t('Added to the deal.'), saved)
      onSaved()
    },
  })
  return (
    <FormDialog
      title={person ? t('Role of {name}', { name: person.label }) : t('Add a person')}
      small
      verb={person ? t('Save') : t('Add')}
      of={form}
      isReady={form.values.contact !== null}
      onClose={onClose}
    >
      {!person && (
        <FieldInput
          field={{ ...fieldOf('deal', 'contact_id'), required: true }}
          {...form.field('contact')}
          near={deal.organization_id ? ['organization_id', deal.organization_id] : undefined}
          autoFocus
        />
      )}
      <TextField
        label={t('Role')}
        hint={t('Such as buyer, decision maker or user.')}
        optional
        {...form.field('role')}
      />
    </FormDialog>
  )
}
