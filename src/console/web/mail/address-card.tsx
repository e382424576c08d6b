import { Plus } from 'lucide'
import { list, post } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { useData } from '../data/use-data.ts'
import { Card } from '../parts/card.tsx'
import { ErrorNotice, LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Secret } from '../parts/secret.tsx'
import { description } from '../session/session.ts'

interface AddressCardProps {
  label: string
  /** What mail to the address does. */
  about: string
  verb: string
  /** Of whom it is. */
  owner: { kind: 'deal'; deal_id: string } | { kind: 'user'; user_id: string }
}

const path = '/api-v1-mail-addresses'

/** The address of a deal or a user to put into BCC, to be copied; without one, a button that creates it. Absent if the server takes no mail. */
export function AddressCard(props: AddressCardProps) {
  return description.value!.takes_mail ? <OwnAddress {...props} /> : null
}

function OwnAddress({ label, about, verb, owner }: AddressCardProps) {
  const [field, id] = owner.kind === 'deal' ? ['deal_id', owner.deal_id] : ['user_id', owner.user_id]
  const loaded = useData((signal) => list<Row>(path, { [`filter[${field}]`]: id, limit: 1 }, signal), [id])
  const { busy, error, attempt } = useAttempt()
  const create = () =>
    attempt(async () => {
      await post(path, owner)
      await loaded.refresh()
    })
  const address: string | undefined = loaded.data?.data[0]?.address
  return (
    <Card label={label}>
      <div class="body stack">
        <p class="muted">{about}</p>
        {!loaded.data && <LoadingOrError of={loaded} />}
        {address && <Secret text={address} />}
        {loaded.data && !address && (
          <div>
            <button type="button" class="button" aria-disabled={busy} onClick={create}>
              <Icon of={Plus} /> {verb}
            </button>
          </div>
        )}
        <ErrorNotice error={error} />
      </div>
    </Card>
  )
}
