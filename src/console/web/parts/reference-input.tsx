import type { DescribedField } from '../../description.ts'
import { list, post } from '../http.ts'
import type { Invalid } from '../invalid.ts'
import { search } from '../search.ts'
import { resourceOf } from '../session.ts'
import { nameFields, nameOf, type Row } from '../views.ts'
import { type Choice, Combobox } from './combobox.tsx'
import type { Wiring } from './form.tsx'
import { tell } from './notes.tsx'

interface ReferenceInputProps {
  wiring: Wiring
  field: DescribedField
  value: unknown
  onValue: (value: Choice | Invalid | null) => void
  /** Whether one can be made here that does not exist yet. */
  creates: boolean
}

const suggestionsMax = 8
const optionsMax = 100

/** What a new record consists of whose name alone is known. */
const named: Record<string, (name: string) => object> = {
  organization: (name) => ({ name }),
  deal: (title) => ({ title }),
  contact(name) {
    const [first_name, ...last] = name.split(/\s+/)
    return { first_name, ...(last.length > 0 && { last_name: last.join(' ') }) }
  },
}

export function ReferenceInput({ wiring, field, value, onValue, creates }: ReferenceInputProps) {
  const target = field.target!
  return (
    <Combobox
      wiring={wiring}
      value={value as Choice | Invalid | null}
      onValue={onValue}
      noun={target}
      search={(text, signal) => searchRecords(target, text, signal)}
      create={creates && named[target] ? (name) => createNamed(target, name) : undefined}
    />
  )
}

async function createNamed(target: string, name: string): Promise<Choice> {
  const { path, label } = resourceOf(target)
  const row = await post<Row>(`/${path}`, named[target]!(name))
  tell(`${label} “${nameOf(row)}” created.`)
  return { id: row.id, label: nameOf(row) }
}

/** The first records whose name has this text in it, and those that are called exactly so. */
async function searchRecords(target: string, text: string, signal: AbortSignal): Promise<Choice[]> {
  const [path, fields, small] = [`/${resourceOf(target).path}`, nameFields[target]!, target === 'stage']
  const query = {
    limit: small ? optionsMax : suggestionsMax,
    ...(target === 'user' && { is_active: 'true' }),
    ...(!small && { sort: fields[0] }),
  }
  const pages =
    text === ''
      ? [list<Row>(path, query, signal)]
      : [
          list<Row>(path, { ...query, [`${fields[0]}[eq]`]: text }, signal),
          search(target, { text, fields }, query, signal),
        ]
  const rows = (await Promise.all(pages)).flatMap(({ data }) => data)
  return [...new Map(rows.map((row) => [row.id, { id: row.id, label: nameOf(row) }])).values()]
}
