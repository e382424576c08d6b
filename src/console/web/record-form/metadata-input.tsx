import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { type Entry, entriesOf, faultOf, type Metadata, metadataOf } from '../data/metadata.ts'
import { TextField } from '../forms/form.tsx'
import { Icon } from '../parts/icon.tsx'
import type { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { Removable } from './removable.tsx'

interface MetadataInputProps {
  value: unknown
  onValue: (metadata: Metadata | Invalid) => void
  fault: string | undefined
}

/** Free-form names and values next to the fields. */
export function MetadataInput({ value, onValue, fault }: MetadataInputProps) {
  const [entries, setEntries] = useState(() => entriesOf(value))
  const put = (next: readonly Entry[]) => {
    setEntries(next)
    onValue(metadataOf(next))
  }
  const change = (at: number, values: Partial<Entry>) =>
    put(entries.map((entry, index) => (index === at ? { ...entry, ...values } : entry)))
  return (
    <fieldset class="stack tight" aria-invalid={fault !== undefined}>
      <legend>{t('Metadata')}</legend>
      {entries.map((entry, at) => (
        <Removable
          key={at}
          label={t('Remove {value}', { value: entry.name || t('this entry') })}
          onRemove={() => put(entries.filter((_, index) => index !== at))}
        >
          <TextField
            label={t('Name')}
            value={entry.name}
            onValue={(name) => change(at, { name })}
            fault={faultOf(entry, entries)}
            autoFocus={entry.name === ''}
          />
          <TextField label={t('Value')} value={entry.text} onValue={(text) => change(at, { text })} />
        </Removable>
      ))}
      {fault && <span class="fault">{fault}</span>}
      <div>
        <button type="button" class="button small" onClick={() => put([...entries, { name: '', text: '' }])}>
          <Icon of={Plus} /> {t('Add metadata')}
        </button>
      </div>
    </fieldset>
  )
}
