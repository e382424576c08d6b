import { Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { word } from '../format.ts'
import { patch, post, remove } from '../http.ts'
import { resourceOf } from '../session.ts'
import type { Row } from '../views.ts'
import { ask, Dialog } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { Form, useSubmit } from './form.tsx'
import { Icon } from './icon.tsx'
import { ListCard } from './list-card.tsx'

interface ItemsProps {
  of: string
  /** `emails` */
  name: string
  row: Row
  onChanged: () => void
}

/** A contact's emails or phones. */
export function Items({ of, name, row, onChanged }: ItemsProps) {
  const { path, collections } = resourceOf(of)
  const { as, fields } = collections[name]!
  const [main] = fields
  const items: Row[] = row[as]
  const base = `/${path}/${row.id}/${name}`
  const [edited, setEdited] = useState<Row | 'new'>()
  const close = () => setEdited(undefined)
  return (
    <ListCard label={word(name)} verb="Add" onAdd={() => setEdited('new')}>
      {items.length === 0 && <p class="muted body">None yet.</p>}
      <ul class="list">
        {items.map((item) => (
          <li key={item.id}>
            <span class="grow">
              <a href={`${main!.kind === 'email' ? 'mailto' : 'tel'}:${item[main!.name]}`}>{item[main!.name]}</a>
              <span class="muted small">
                {' '}
                {item.type}
                {item.is_primary && ' · primary'}
              </span>
            </span>
            <button
              type="button"
              class="button quiet square small"
              aria-label={`Edit ${item[main!.name]}`}
              onClick={() => setEdited(item)}
            >
              <Icon of={Pencil} />
            </button>
            <button
              type="button"
              class="button quiet square small"
              aria-label={`Remove ${item[main!.name]}`}
              onClick={() => askRemoval(`${base}/${item.id}`, item[main!.name], onChanged)}
            >
              <Icon of={Trash2} />
            </button>
          </li>
        ))}
      </ul>
      {edited && (
        <ItemForm
          {...{ base, fields }}
          {...(edited !== 'new' && { item: edited })}
          onClose={close}
          onSaved={() => {
            close()
            onChanged()
          }}
        />
      )}
    </ListCard>
  )
}

function askRemoval(path: string, name: string, onChanged: () => void): void {
  ask({
    title: `Remove ${name}?`,
    body: 'It is removed from this contact for good.',
    verb: 'Remove',
    async run() {
      await remove(path)
      onChanged()
    },
  })
}

interface ItemFormProps {
  base: string
  fields: ReturnType<typeof resourceOf>['fields']
  item?: Row
  onSaved: () => void
  onClose: () => void
}

function ItemForm({ base, fields, item, onSaved, onClose }: ItemFormProps) {
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(fields.map(({ name, default: fallback }) => [name, item ? item[name] : (fallback ?? null)])),
  )
  const submission = useSubmit(async () => {
    await (item ? patch(`${base}/${item.id}`, values) : post(base, values))
    onSaved()
  })
  return (
    <Dialog title={`${item ? 'Edit' : 'Add'} ${fields[0]!.label.toLowerCase()}`} small onClose={onClose}>
      <Form of={submission} verb="Save" onCancel={onClose}>
        {fields.map((field, at) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            onValue={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            fault={submission.faults[field.name]}
            autoFocus={at === 0}
          />
        ))}
      </Form>
    </Dialog>
  )
}
