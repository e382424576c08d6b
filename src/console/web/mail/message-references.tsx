import { X } from 'lucide'
import { useRef } from 'preact/hooks'
import { type Choice, isChoice } from '../data/choice.ts'
import { get, patch } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Tool } from '../parts/tool.tsx'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface References {
  deal_id: unknown
  organization_id: unknown
  contacts: Choice[]
  /** The input in which a further contact is chosen. */
  added: unknown
  [name: string]: unknown
}

interface MessageReferencesProps {
  id: string
  onClose: () => void
  onSaved: () => void
}

const path = (id: string) => `/api-v1-messages/${id}`
const read = (id: string) => get<Row>(`${path(id)}?include=organization,deal,contacts`)
const title = t('What this mail belongs to')

/** The records to which a message belongs. */
export function MessageReferences({ id, ...closing }: MessageReferencesProps) {
  const { data, error } = useData(() => read(id), [id])
  if (data) return <ReferencesForm message={data} {...closing} />
  if (!error) return null
  return (
    <Dialog title={title} small onClose={closing.onClose}>
      <ErrorNotice error={error} />
    </Dialog>
  )
}

type ReferencesFormProps = Omit<MessageReferencesProps, 'id'> & { message: Row }

function ReferencesForm({ message, onClose, onSaved }: ReferencesFormProps) {
  const known = useRef(message)
  const form = useForm<References, Row>({
    initial: valuesOf(message),
    async save(values, changed) {
      const body = bodyOf(values, changed)
      return Object.keys(body).length > 0 ? patch<Row>(path(message.id), body, known.current) : known.current
    },
    async reread() {
      known.current = await read(message.id)
      return valuesOf(known.current)
    },
    onSaved(saved) {
      notifyChange(t('Saved.'), saved)
      onSaved()
    },
  })
  const chosen = form.values.contacts
  const fields = ['deal_id', 'organization_id'].map((name) => fieldOf('message', name))
  const add = (value: unknown) => {
    if (!isChoice(value)) return form.set({ added: value })
    form.set({ contacts: [...chosen.filter(({ id }) => id !== value.id), value], added: null })
  }
  return (
    <FormDialog title={title} small verb={t('Save')} of={form} fields={fields} onClose={onClose}>
      <FieldInput field={fieldOf('message', 'deal_id')} {...form.field('deal_id')} />
      <FieldInput field={fieldOf('message', 'organization_id')} {...form.field('organization_id')} />
      {chosen.length > 0 && (
        <ul class="picks" aria-label={t('Contacts')}>
          {chosen.map(({ id, label }) => (
            <li key={id} class="pick">
              {label}
              <Tool
                icon={X}
                label={t('Remove {item}', { item: label })}
                onClick={() => form.set({ contacts: chosen.filter((each) => each.id !== id) })}
              />
            </li>
          ))}
        </ul>
      )}
      <FieldInput
        key={chosen.length}
        field={{ ...fieldOf('deal', 'contact_id'), label: t('Add a contact') }}
        {...form.field('added')}
        fault={form.fault('contact_ids')}
        onValue={add}
      />
    </FormDialog>
  )
}

function valuesOf({ deal, organization, contacts }: Row): References {
  return {
    deal_id: deal ? choiceOf('deal', deal) : null,
    organization_id: organization ? choiceOf('organization', organization) : null,
    contacts: contacts.map((each: Row) => choiceOf('contact', each)),
    added: null,
  }
}

function choiceOf(of: string, row: Row): Choice {
  return { id: row.id, label: titleOf(of, row) }
}

function bodyOf(values: References, changed: Partial<References>): Record<string, unknown> {
  return {
    ...('deal_id' in changed && { deal_id: idOf(values.deal_id) }),
    ...('organization_id' in changed && { organization_id: idOf(values.organization_id) }),
    ...('contacts' in changed && { contact_ids: values.contacts.map(({ id }) => id) }),
  }
}

function idOf(value: unknown): string | null {
  return isChoice(value) ? value.id : null
}
