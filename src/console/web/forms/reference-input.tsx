import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import { find, matchedText, queryOf } from '../data/find.ts'
import { list } from '../data/http.ts'
import { useNames } from '../data/record-names.ts'
import { isListed, nameFields, type Row, titleOf, viewOf } from '../data/resource-views.ts'
import { resourceOf } from '../session/session.ts'
import type { Invalid } from '../text/invalid.ts'
import { noun } from '../text/texts.ts'
import { Combobox } from './combobox.tsx'
import type { Wiring } from './form.tsx'
import { groupNames, isOrdered } from './record-groups.ts'

type Near = [name: string, id: string] | undefined

interface ReferenceInputProps {
  wiring: Wiring
  field: DescribedField
  value: unknown
  onValue: (value: Choice | Invalid | null) => void
  /** Whether a new record can be named here. */
  creates: boolean
  /** The records with this value of a field come first. */
  near?: Near
  /** Shown while nothing is chosen. */
  placeholder?: string
}

const suggestionsMax = 8
const optionsMax = 100

export function ReferenceInput({ wiring, field, value, onValue, creates, near, placeholder }: ReferenceInputProps) {
  const target = field.target!
  const unnamed = isChoice(value) && value.label === '' ? value : undefined
  const name = useNames(unnamed && target, unnamed?.id ?? '')
  return (
    <Combobox
      wiring={wiring}
      value={unnamed ? { ...unnamed, label: name ?? '…' } : (value as Choice | Invalid | null)}
      onValue={onValue}
      noun={noun(resourceOf(target).label)}
      placeholder={placeholder}
      search={(text, signal) => searchRecords(target, text, near, signal)}
      creates={creates && isNamedOnly(target)}
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

/** The records that a text fits best, and those with exactly this name; without a text, the first records. Those that are near come first. */
async function searchRecords(target: string, text: string, near: Near, signal: AbortSignal): Promise<Choice[]> {
  const { path: at, sorts, searched } = resourceOf(target)
  const [path, fields] = [`/${at}`, nameFields(target)]
  const isSorted = isOrdered(target)
  const query = {
    limit: isSorted ? optionsMax : suggestionsMax,
    ...viewOf(target).referable,
    ...(!isSorted && { sort: fields.find((name) => sorts.includes(name)) }),
  }
  const choicesOf = async (page: Promise<{ data: Row[] }>) => {
    const { data } = await page
    const groups = await groupNames(target, data, signal)
    return data.map((row): Choice => ({ id: row.id, label: titleOf(target, row), matched: groups.get(row.id) }))
  }
  const searches =
    text === '' || fields.length === 0
      ? [choicesOf(list<Row>(path, query, signal))]
      : [
          choicesOf(list<Row>(path, { ...query, [`${fields[0]}[eq]`]: text }, signal)),
          searched.length > 0
            ? findChoices(target, text, signal)
            : choicesOf(list<Row>(path, { ...query, [`${fields[0]}[like]`]: text.split(/\s+/).join('%') }, signal)),
        ]
  if (near && (text === '' || searched.length > 0)) {
    const nearest = { ...query, [`filter[${near[0]}]`]: near[1], q: queryOf(text) }
    searches.unshift(choicesOf(list<Row>(path, nearest, signal)))
  }
  const choices = await Promise.all(searches)
  // The last of the same record says what it was found by.
  return [...new Map(choices.flat().map((choice) => [choice.id, choice])).values()]
}

async function findChoices(target: string, text: string, signal: AbortSignal): Promise<Choice[]> {
  const found = await find(text, { types: target, limit: String(suggestionsMax) }, signal)
  return found.map((each) => ({ id: each.id, label: each.title, matched: matchedText({ ...each, subtitle: null }) }))
}
