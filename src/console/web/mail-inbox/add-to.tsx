import { type Choice, isChoice } from '../data/choice.ts'
import type { Row } from '../data/resource-views.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { addTo, outsiderOf, type Waiting } from './inbox-message.ts'

interface AddToProps {
  of: Waiting
  onClose: () => void
  onSaved: () => void
}

interface Places extends Record<string, unknown> {
  contact: Choice | null
  organization: Choice | null
  deal: Choice | null
  remembers: boolean
}

/** Puts a message on a contact, an organization or a deal that exists. */
export function AddTo({ of, onClose, onSaved }: AddToProps) {
  const address = outsiderOf(of)?.address
  const form = useForm<Places, Row>({
    initial: { contact: null, organization: null, deal: null, remembers: true },
    save: ({ contact, organization, deal, remembers }, _, once) => {
      const place = { contactId: contact?.id, organizationId: organization?.id, dealId: deal?.id }
      return addTo(of, { ...place, address: remembers ? address : undefined }, once)
    },
    onSaved(saved) {
      notifyChange(t('Message added.'), saved)
      onSaved()
    },
  })
  const { contact, organization, deal } = form.values
  const reference = (name: 'contact' | 'organization' | 'deal', isFirst = false) => (
    <FieldInput
      field={{ ...fieldOf('task', `${name}_id`), required: false }}
      {...form.field(name)}
      onValue={(value) => form.set({ [name]: value })}
      autoFocus={isFirst}
    />
  )
  return (
    <FormDialog
      title={t('Add to…')}
      small
      verb={t('Add')}
      of={form}
      isReady={[contact, organization, deal].some(isChoice)}
      onClose={onClose}
    >
      {reference('contact', true)}
      {address !== undefined && isChoice(contact) && (
        <label class="check">
          <input
            type="checkbox"
            checked={form.values.remembers}
            onChange={(event) => form.set({ remembers: event.currentTarget.checked })}
          />
          {t('{address} is an address of this contact', { address })}
        </label>
      )}
      {reference('organization')}
      {reference('deal')}
    </FormDialog>
  )
}
