import { newItem } from '../data/item-values.ts'
import { useNames } from '../data/record-names.ts'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { resourceOf } from '../session/session.ts'
import { linkAll, namesIn, outsiderOf, type Waiting } from './inbox-message.ts'

interface NewContactProps {
  of: Waiting
  /** The messages of the page: those of the same person are linked at once, others by the server. */
  among: readonly Waiting[]
  onClose: () => void
  onSaved: () => void
}

/** Creates a contact with what a message says of its sender, and links the message. */
export function NewContact({ of, among, onClose, onSaved }: NewContactProps) {
  const person = outsiderOf(of)
  const emails = resourceOf('contact').collections.emails!
  const organizationId = of.organization_id ?? of.suggested_organization_id
  const name = useNames(organizationId ? 'organization' : undefined, organizationId ?? '')
  if (organizationId && name === undefined) return null
  const isSame = (each: Waiting) =>
    each.status === 'unmatched' && outsiderOf(each)?.address.toLowerCase() === person?.address.toLowerCase()
  return (
    <RecordForm
      of="contact"
      preset={{
        ...(person && { ...namesIn(person), emails: [{ ...newItem(emails), email: person.address }] }),
        ...(organizationId && { organization_id: { id: organizationId, label: name } }),
      }}
      also={(contact, once) => linkAll(person ? among.filter(isSame) : [of], contact, once)}
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}
