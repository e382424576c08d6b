import { useEffect } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import { list } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { resourceOf } from '../session/session.ts'
import type { Wiring } from './form.tsx'
import { groupNames } from './record-groups.ts'

interface ReferenceSelectProps {
  wiring: Wiring
  field: DescribedField
  value: unknown
  onValue: (value: Choice | null) => void
  /** Called with the record that the server sets, once it is shown. */
  onFilled?: ((value: Choice) => void) | undefined
}

const optionsMax = 100

/** Selects one of all records of a resource, by group. The server sets the first one if a new record has none: then it is shown. */
export function ReferenceSelect({ wiring, field, value, onValue, onFilled }: ReferenceSelectProps) {
  const target = field.target!
  const { path } = resourceOf(target)
  const loaded = useData(
    async (signal) => {
      const { data } = await list<Row>(`/${path}`, { limit: optionsMax }, signal)
      const groups = await groupNames(target, data, signal)
      return data.map((row) => {
        const { id, kind, requires } = row
        return { id, label: titleOf(target, row), kind, requires, group: groups.get(id) }
      })
    },
    [path],
  )
  const chosen = isChoice(value) ? value : undefined
  const listed: Option[] = loaded.data ?? []
  const isListed = !chosen || listed.some(({ id }) => id === chosen.id)
  const options: Option[] = isListed ? listed : [chosen, ...listed]
  const choose = (id: string) => onValue(options.find((option) => option.id === id) ?? null)
  const filled = field.chosen ? listed[0] : undefined
  useEffect(() => {
    if (filled && !chosen) onFilled?.(filled)
  }, [filled, chosen])
  return (
    <select
      {...wiring}
      value={chosen?.id ?? filled?.id ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {!field.chosen && <option value="">–</option>}
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, each]) =>
        group === undefined ? (
          <Options key="" of={each} />
        ) : (
          <optgroup key={group} label={group}>
            <Options of={each} />
          </optgroup>
        ),
      )}
    </select>
  )
}

type Option = Choice & { group?: string | undefined }

function Options({ of }: { of: readonly Option[] }) {
  return (
    <>
      {of.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </>
  )
}
