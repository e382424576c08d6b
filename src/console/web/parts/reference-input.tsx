import type { DescribedField } from '../../description.ts'
import type { Choice } from '../choice.ts'
import { list, post } from '../http.ts'
import type { Invalid } from '../invalid.ts'
import { search } from '../search.ts'
import { resourceOf } from '../session.ts'
import { isListed, nameFields, type Row, titleOf, viewOf } from '../views.ts'
import { Combobox } from './combobox.tsx'
import type { Wiring } from './form.tsx'
import { notify } from './notes.tsx'

interface ReferenceInputProps {
  wiring: Wiring
  field: DescribedField
  value: unknown
  onValue: (value: Choice | Invalid | null) => void
  /** Whether a new record can be created here. */
  creates: boolean
}

const suggestionsMax = 8
const optionsMax = 100

export function ReferenceInput({ wiring, field, value, onValue, creates }: ReferenceInputProps) {
  const target = field.target!
  return (
    <Combobox
      wiring={wiring}
      value={value as Choice | Invalid | null}
      onValue={onValue}
      noun={target}
      search={(text, signal) => searchRecords(target, text, signal)}
      create={creates && isNamedOnly(target) ? (name) => createNamed(target, name) : undefined}
    />
  )
}

/** Whether a name is all that a new record needs. */
function isNamedOnly(target: string): boolean {
  const { fields, operations } = resourceOf(target)
  const { name } = viewOf(target)
  const required = fields.filter((field) => field.required)
  return isListed(target) && operations.includes('create') && required.every((field) => name.includes(field.name))
}

/** Creates a record with this name. If the name has two fields, the first gets the first word. */
async function createNamed(target: string, name: string): Promise<Choice> {
  const { path, label } = resourceOf(target)
  const [first, second] = viewOf(target).name
  const [word, ...words] = second ? name.split(/\s+/) : [name]
  const row = await post<Row>(`/${path}`, { [first!]: word, ...(words.length > 0 && { [second!]: words.join(' ') }) })
  const title = titleOf(target, row)
  notify(`${label} “${title}” created.`)
  return { id: row.id, label: title }
}

/** The first records whose name contains this text, and those with exactly this name. */
async function searchRecords(target: string, text: string, signal: AbortSignal): Promise<Choice[]> {
  const { path: at, fields: all, sorts } = resourceOf(target)
  const [path, fields] = [`/${at}`, nameFields(target)]
  const isOrdered = all.some(({ kind }) => kind === 'position')
  const query = {
    limit: isOrdered ? optionsMax : suggestionsMax,
    ...viewOf(target).referable,
    ...(!isOrdered && { sort: fields.find((name) => sorts.includes(name)) }),
  }
  const pages =
    text === '' || fields.length === 0
      ? [list<Row>(path, query, signal)]
      : [
          list<Row>(path, { ...query, [`${fields[0]}[eq]`]: text }, signal),
          search(target, { text, fields }, query, signal),
        ]
  const rows = (await Promise.all(pages)).flatMap(({ data }) => data)
  return [...new Map(rows.map((row) => [row.id, { id: row.id, label: titleOf(target, row) }])).values()]
}
