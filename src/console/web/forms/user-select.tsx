import { isChoice } from '../data/choice.ts'
import { list } from '../data/http.ts'
import { useNames } from '../data/record-names.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import type { Wiring } from './form.tsx'

const usersMax = 100

interface UserSelectProps {
  wiring: Wiring
  /** An id, or a `Choice`. */
  value: unknown
  onValue: (id: string | null) => void
}

/** Selects an active user by name. The user that is stored is offered, too, whoever that is. */
export function UserSelect({ wiring, value, onValue }: UserSelectProps) {
  const id = isChoice(value) ? value.id : typeof value === 'string' ? value : ''
  const query = { is_active: 'true', sort: 'full_name', limit: usersMax }
  const users = useData((signal) => list<Row>('/api-v1-users', query, signal), []).data?.data ?? []
  const isOther = id !== '' && users.every((user) => user.id !== id)
  const name = useNames(isOther && !isChoice(value) ? 'user' : undefined, id)
  const other = isOther ? [{ id, full_name: isChoice(value) ? value.label : (name ?? '…') }] : []
  return (
    <select {...wiring} value={id} onChange={({ currentTarget }) => onValue(currentTarget.value || null)}>
      <option value="">–</option>
      {[...other, ...users].map((user) => (
        <option key={user.id} value={user.id}>
          {user.full_name}
        </option>
      ))}
    </select>
  )
}
