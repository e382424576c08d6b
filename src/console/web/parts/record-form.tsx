import { useRef } from 'preact/hooks'
import { validationError } from '../../../errors.ts'
import { exactMoney, exactNumber } from '../format.ts'
import { get, patch, post } from '../http.ts'
import type { Values } from '../merge.ts'
import { href } from '../place.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { nameOf, type Row, views } from '../views.ts'
import { type Choice, isChoice } from './combobox.tsx'
import { isConfirmed } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { FormDialog } from './form-dialog.tsx'
import { ItemInputs } from './item-inputs.tsx'
import { MetadataInput } from './metadata-input.tsx'
import { tell } from './notes.tsx'
import { type FormState, useForm } from './use-form.ts'

interface RecordFormProps {
  of: string
  /** The record to change, as it was read by its id; without it, a new one is made. */
  row?: Row
  /** What a new one begins with; a reference as its choice. */
  preset?: Values
  onSaved: (row: Row) => void
  onClose: () => void
}

/** Creates or changes a record. */
export function RecordForm(props: RecordFormProps) {
  const { of, row, onClose } = props
  const { label, fields, collections } = resourceOf(of)
  const { form: names, wide } = views[of]!
  const form = useRecord(props)
  return (
    <FormDialog
      title={row ? `Edit ${label.toLowerCase()}` : `New ${label.toLowerCase()}`}
      verb={row ? 'Save' : `Create ${label.toLowerCase()}`}
      {...{ of: form, fields, onClose }}
    >
      <div class="fields">
        {names.map((name, index) => (
          <FieldInput
            key={name}
            field={fieldOf(of, name)}
            {...form.field(name)}
            wide={wide.includes(name)}
            hint={!row && name === 'stage_id' ? 'If left empty: the first stage' : undefined}
            currency={name === 'value' ? form.values.currency : undefined}
            autoFocus={index === 0}
            creates
          />
        ))}
      </div>
      {!row &&
        Object.entries(collections).map(([name, collection]) => (
          <ItemInputs key={name} name={name} fields={collection.fields} form={form} />
        ))}
      <MetadataInput {...form.field('metadata')} />
    </FormDialog>
  )
}

/** The form's values, and how they are saved. */
function useRecord({ of, row, preset = {}, onSaved }: RecordFormProps): FormState<Values> {
  const { label, path } = resourceOf(of)
  const known = useRef(row)
  return useForm<Values, Row>({
    initial: row ? valuesOf(of, row) : { ...blank(of), ...preset },
    check: confirmNegative,
    async save(values, changed) {
      if (!known.current) return post<Row>(`/${path}`, bodyOf(values))
      // What was not touched is not sent: naming a status again has its effects again.
      if (Object.keys(changed).length === 0) return known.current
      return patch<Row>(`/${path}/${known.current.id}`, bodyOf(changed), known.current)
    },
    onSaved(saved) {
      tell(row ? 'Saved.' : `${label} created.`)
      onSaved(saved)
    },
    onLate(saved) {
      if (saved instanceof Error) return tell(`${label} not saved: ${saved.message}`)
      const { page, title } = views[of]!
      const text = `Too late to cancel: “${title(saved)}” was ${row ? 'saved' : 'created'}.`
      tell(text, { label: 'Open', href: href(`${page}/${saved.id}`) })
    },
    ...(row && {
      async reread() {
        known.current = await get<Row>(`/${path}/${row.id}`)
        return valuesOf(of, known.current)
      },
    }),
  })
}

/** The API takes any amount; one below zero is seldom meant. Throws VALIDATION_ERROR where it is not. */
async function confirmNegative({ currency }: Values, { value }: Values): Promise<void> {
  if (typeof value !== 'number' || value >= 0) return
  const amount = exactMoney(value, String(currency)) ?? exactNumber(value)
  const body = `The value of the deal is ${amount}, less than nothing.`
  if (await isConfirmed({ title: 'Save a negative value?', body, verb: `Save ${amount}`, back: 'Change it' })) return
  throw validationError([{ field: 'value', message: 'The value is negative', code: 'INVALID_VALUE' }])
}

/** What a form shows of a record; a reference as its choice. */
function valuesOf(of: string, row: Row): Values {
  const { relations } = resourceOf(of)
  const entries = views[of]!.form.map((name) => {
    const { kind } = fieldOf(of, name)
    return [name, kind === 'reference' && row[name] ? choiceOf(row[name], row[relations[name]!]) : row[name]]
  })
  return { ...Object.fromEntries(entries), metadata: row.metadata }
}

function choiceOf(id: string, related: Row | null | undefined): Choice {
  return { id, label: related ? nameOf(related) : '(deleted)' }
}

function blank(of: string): Values {
  const entries = views[of]!.form.map((name) => {
    const { kind, default: fallback } = fieldOf(of, name)
    return [name, kind === 'flag' ? fallback === 1 : (fallback ?? null)]
  })
  const collections = Object.keys(resourceOf(of).collections).map((name) => [name, []])
  return { ...Object.fromEntries([...entries, ...collections]), metadata: {} }
}

/** As the API takes it: a reference is its id. */
function bodyOf(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isChoice(value) ? value.id : value]))
}
