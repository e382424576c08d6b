import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { Invalid } from '../invalid.ts'
import { TextField } from './form.tsx'
import { Icon } from './icon.tsx'
import { Removable } from './removable.tsx'

export type Metadata = Record<string, unknown>

interface Entry {
  name: string
  text: string
  /** What the text was before it was changed: it keeps its type. */
  was?: unknown
}

interface MetadataInputProps {
  value: unknown
  onValue: (metadata: Metadata | Invalid) => void
  fault: string | undefined
}

/** What programs and people note beside the fields, as names and values. */
export function MetadataInput({ value, onValue, fault }: MetadataInputProps) {
  const [entries, setEntries] = useState(() =>
    Object.entries(value as Metadata).map(([name, was]): Entry => ({ name, text: textOf(was), was })),
  )
  const put = (next: Entry[]) => {
    setEntries(next)
    const wrong = next.map((entry) => faultOf(entry, next)).find((each) => each !== undefined)
    const named = next.filter(({ name }) => name !== '').map((entry) => [entry.name, meantBy(entry)])
    onValue(wrong ? new Invalid('', `Metadata: ${wrong}`) : Object.fromEntries(named))
  }
  const change = (at: number, values: Partial<Entry>) =>
    put(entries.map((entry, index) => (index === at ? { ...entry, ...values } : entry)))
  return (
    <fieldset class="stack tight" aria-invalid={fault !== undefined}>
      <legend>Metadata</legend>
      {entries.map((entry, at) => (
        <Removable
          key={at}
          label={`Remove ${entry.name || 'this entry'}`}
          onRemove={() => put(entries.filter((_, index) => index !== at))}
        >
          <TextField
            label="Name"
            value={entry.name}
            onValue={(name) => change(at, { name })}
            fault={faultOf(entry, entries)}
            autoFocus={entry.name === ''}
          />
          <TextField label="Value" value={entry.text} onValue={(text) => change(at, { text })} />
        </Removable>
      ))}
      {fault && <span class="fault">{fault}</span>}
      <div>
        <button type="button" class="button small" onClick={() => put([...entries, { name: '', text: '' }])}>
          <Icon of={Plus} /> Add metadata
        </button>
      </div>
    </fieldset>
  )
}

/** An entry that was only just added lacks nothing yet. */
function faultOf(entry: Entry, entries: Entry[]): string | undefined {
  const isBlank = entry.text === '' && entry.was === undefined
  if (entry.name === '') return isBlank ? undefined : 'Enter a name'
  const first = entries.find(({ name }) => name === entry.name)
  return first === entry ? undefined : 'There is an entry of this name already'
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A number, flag or list stays what it is while its text is JSON; everything else is text. */
function meantBy({ text, was }: Entry): unknown {
  if (was === undefined || typeof was === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
