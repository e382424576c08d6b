import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import { cacheName } from '../data/record-names.ts'
import { Invalid } from '../text/invalid.ts'
import type { Wiring } from './form.tsx'
import { ReferenceInput } from './reference-input.tsx'

interface UserInputProps {
  field: DescribedField
  wiring: Wiring
  /** An id, a `Choice`, or `Invalid`. */
  value: unknown
  onValue: (id: string | Invalid | null) => void
}

/** Chooses an active user by name. The user that is stored is shown, too, whoever that is. */
export function UserInput({ field, wiring, value, onValue }: UserInputProps) {
  const take = (chosen: Choice | Invalid | null) => {
    if (!isChoice(chosen)) return onValue(chosen)
    cacheName('user', chosen.id, chosen.label)
    onValue(chosen.id)
  }
  const shown = isChoice(value) || value instanceof Invalid ? value : null
  return (
    <ReferenceInput
      {...{ field, wiring }}
      value={typeof value === 'string' ? { id: value, label: '' } : shown}
      onValue={take}
      creates={false}
    />
  )
}
