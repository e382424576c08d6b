import { useState } from 'preact/hooks'
import { patch, post } from '../http.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { type Row, views } from '../views.ts'
import type { Choice } from './combobox.tsx'
import { Dialog } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { Form, useSubmit } from './form.tsx'
import { ItemInputs } from './item-inputs.tsx'
import { type Metadata, MetadataInput } from './metadata-input.tsx'
import { tell } from './notes.tsx'

interface RecordFormProps {
  of: string
  /** The record to change; without it, a new one is made. */
  row?: Row
  /** What a new one begins with; a reference as its choice. */
  preset?: Record<string, unknown>
  onSaved: (row: Row) => void
  onClose: () => void
}

/** Creates or changes a record. */
export function RecordForm(props: RecordFormProps) {
  const { of, row, onClose } = props
  const { label, relations, collections } = resourceOf(of)
  const { form, wide } = views[of]!
  const { values, set, submission } = useRecord(props)
  return (
    <Dialog title={row ? `Edit ${label.toLowerCase()}` : `New ${label.toLowerCase()}`} onClose={onClose}>
      <Form of={submission} verb={row ? 'Save' : `Create ${label.toLowerCase()}`} onCancel={onClose}>
        <div class="fields">
          {form.map((name, index) => (
            <FieldInput
              key={name}
              field={fieldOf(of, name)}
              value={values[name]}
              onValue={set(name)}
              fault={submission.faults[name]}
              wide={wide.includes(name)}
              hint={!row && name === 'stage_id' ? 'If left empty: the first stage' : undefined}
              related={row?.[relations[name] ?? '']}
              autoFocus={index === 0}
            />
          ))}
        </div>
        {!row &&
          Object.entries(collections).map(([name, { fields }]) => (
            <ItemInputs
              key={name}
              name={name}
              fields={fields}
              items={(values[name] as Record<string, unknown>[]) ?? []}
              onItems={set(name)}
              faults={submission.faults}
            />
          ))}
        <MetadataInput
          metadata={values.metadata as Metadata}
          onMetadata={set('metadata')}
          fault={submission.faults.metadata}
        />
      </Form>
    </Dialog>
  )
}

/** The form's values, and how they are saved. */
function useRecord({ of, row, preset = {}, onSaved }: RecordFormProps) {
  const { label, path } = resourceOf(of)
  const { form } = views[of]!
  const [initial] = useState<Record<string, unknown>>(() => initialOf(of, row, preset))
  const [values, setValues] = useState(initial)
  const save = async () => {
    if (!row) return post<Row>(`/${path}`, bodyOf(of, values))
    const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== initial[name]))
    // What was not touched is not sent: it may have changed meanwhile, and naming a status again has its effects again.
    return Object.keys(changed).length === 0 ? row : patch<Row>(`/${path}/${row.id}`, bodyOf(of, changed))
  }
  const submission = useSubmit(
    async () => {
      const saved = await save()
      tell(row ? 'Saved.' : `${label} created.`)
      onSaved(saved)
    },
    (field) => form.includes(field) || field === 'metadata' || field.includes('['),
  )
  const set = (name: string) => (value: unknown) => setValues((before) => ({ ...before, [name]: value }))
  return { values, set, submission }
}

function initialOf(of: string, row: Row | undefined, preset: Record<string, unknown>): Record<string, unknown> {
  const { form } = views[of]!
  if (row) return Object.fromEntries([...form, 'metadata'].map((name) => [name, row[name]]))
  const start = form.map((name) => {
    const { kind, default: fallback } = fieldOf(of, name)
    return [name, kind === 'flag' ? fallback === 1 : (fallback ?? null)]
  })
  return { ...Object.fromEntries(start), metadata: {}, ...preset }
}

/** As the API takes it: a reference is its id, where it was chosen, too. */
function bodyOf(of: string, values: Record<string, unknown>): Record<string, unknown> {
  const references = resourceOf(of).fields.flatMap(({ name, kind }) => (kind === 'reference' ? [name] : []))
  const sent = { ...values }
  for (const name of references) {
    const value = sent[name] as Choice | string | null | undefined
    if (typeof value === 'object' && value !== null) sent[name] = value.id
  }
  return sent
}
