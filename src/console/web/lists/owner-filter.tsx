import { useId } from 'preact/hooks'
import { isChoice } from '../data/choice.ts'
import { cacheName, useNames } from '../data/record-names.ts'
import { ReferenceInput } from '../forms/reference-input.tsx'
import { fieldOf, session } from '../session/session.ts'
import { t } from '../text/texts.ts'

interface OwnerFilterProps {
  of: string
  /** The id of the owner whose records are shown; '' means everyone, `null` nobody. */
  owner: string
  onOwner: (id: string) => void
}

const field = 'assigned_to'

/** Chooses whose records a list shows. Its options are requested when it opens. */
export function OwnerFilter({ of, owner, onOwner }: OwnerFilterProps) {
  const id = useId()
  const me = session.value!.user
  const isKnown = ['', 'null', me.id].includes(owner)
  const name = useNames(isKnown ? undefined : 'user', owner)
  const label = owner === 'null' ? t('Nobody') : owner === me.id ? me.full_name : (name ?? '…')
  const take = (value: unknown) => {
    if (isChoice(value)) cacheName('user', value.id, value.label)
    if (isChoice(value) || value === null) onOwner(isChoice(value) ? value.id : '')
  }
  return (
    <div class="owner-filter">
      <label for={id} class="unseen">
        {t('Owner')}
      </label>
      <ReferenceInput
        key={owner}
        wiring={{ id, class: 'input' }}
        field={fieldOf(of, field)}
        value={owner === '' ? null : { id: owner, label }}
        onValue={take}
        placeholder={t('Everyone')}
        creates={false}
      />
    </div>
  )
}
