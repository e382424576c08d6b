import type { Choice } from '../data/choice.ts'
import { get, isGone } from '../data/http.ts'
import { newItem } from '../data/item-values.ts'
import { titleOf, viewOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
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
  const loaded = useData(async (signal) => (organizationId ? choicesOf(organizationId, signal) : []), [])
  if (loaded.error)
    return (
      <Dialog title={viewOf('contact').add} small onClose={onClose}>
        <LoadingOrError of={loaded} />
      </Dialog>
    )
  if (!loaded.data) return null
  const [organization] = loaded.data
  const isSame = (each: Waiting) =>
    each.status === 'unmatched' && outsiderOf(each)?.address.toLowerCase() === person?.address.toLowerCase()
  return (
    <RecordForm
      of="contact"
      preset={{
        ...(person && { ...namesIn(person), emails: [{ ...newItem(emails), email: person.address }] }),
        ...(organization && { organization_id: organization }),
      }}
      also={(contact, once) => linkAll(person ? among.filter(isSame) : [of], contact, once)}
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

/** The organization, unless it has been deleted. */
async function choicesOf(id: string, signal: AbortSignal): Promise<Choice[]> {
  try {
    return [{ id, label: titleOf('organization', await get(`/api-v1-organizations/${id}`, signal)) }]
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}
