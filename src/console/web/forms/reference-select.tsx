import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import { list } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { resourceOf } from '../session/session.ts'
import type { Wiring } from './form.tsx'

interface ReferenceSelectProps {
  wiring: Wiring
  field: DescribedField
  value: unknown
  onValue: (value: Choice | null) => void
}

const optionsMax = 100

/** Whether a resource has an order of its own, as stages do: then it has so few records that all are offered. */
export function isOrdered(target: string): boolean {
  return resourceOf(target).fields.some(({ kind }) => kind === 'position')
}

/** Selects one of all records of a resource. The server sets the first one if a new record has none: then it is shown. */
export function ReferenceSelect({ wiring, field, value, onValue }: ReferenceSelectProps) {
  const target = field.target!
  const { path } = resourceOf(target)
  const loaded = useData((signal) => list<Row>(`/${path}`, { limit: optionsMax }, signal), [path])
  const chosen = isChoice(value) ? value : undefined
  const listed = loaded.data?.data.map((row) => ({ id: row.id, label: titleOf(target, row), kind: row.kind })) ?? []
  const isListed = !chosen || listed.some(({ id }) => id === chosen.id)
  const options = isListed ? listed : [chosen, ...listed]
  const choose = (id: string) => onValue(options.find((option) => option.id === id) ?? null)
  return (
    <select
      {...wiring}
      value={chosen?.id ?? (field.chosen ? listed[0]?.id : '') ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {!field.chosen && <option value="">–</option>}
      {options.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}
