import { Pencil, Trash2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../../../errors.ts'
import type { DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { get, patch, post, remove } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { type FieldState, useForm } from '../forms/use-form.ts'
import { ask } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { ItemLink } from '../parts/value.tsx'
import { resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { itemTypeOf, itemTypeText } from '../text/item-types.ts'
import { noun, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

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
  return (
    <ListCard label={word(name)} verb={t('Add')} onAdd={() => setEdited('new')}>
      {items.length === 0 && <p class="muted body">{t('None yet.')}</p>}
      <ul class="list">
        {items.map((item) => (
          <li key={item.id}>
            <span class="grow">
              <ItemLink item={item} field={main!} />
              <span class="muted small">
                {' '}
                {itemTypeText(item.type)}
                {item.is_primary && t(' · primary')}
              </span>
            </span>
            <button
              type="button"
              class="button quiet square small"
              aria-label={t('Edit {item}', { item: item[main!.name] })}
              onClick={() => setEdited(item)}
            >
              <Icon of={Pencil} />
            </button>
            <button
              type="button"
              class="button quiet square small"
              aria-label={t('Remove {item}', { item: item[main!.name] })}
              onClick={() => askRemoval(`${base}/${item.id}`, item[main!.name], onChanged)}
            >
              <Icon of={Trash2} />
            </button>
          </li>
        ))}
      </ul>
      {edited && (
        <ItemForm
          {...{ of, name, row, onChanged }}
          {...(edited !== 'new' && { item: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </ListCard>
  )
}

function askRemoval(path: string, name: string, onChanged: () => void): void {
  ask({
    title: t('Remove {name}?', { name }),
    body: t('It is removed from this contact.'),
    verb: t('Remove'),
    async run() {
      notifyChange(t('{name} removed.', { name }), await remove(path))
      onChanged()
    },
  })
}

interface ItemFormProps extends ItemsProps {
  item?: Row
  onClose: () => void
}

function ItemForm({ of, name, row, item, onChanged, onClose }: ItemFormProps) {
  const { path, collections } = resourceOf(of)
  const { as, fields } = collections[name]!
  const label = noun(fields[0]!.label)
  const base = `/${path}/${row.id}/${name}`
  const known = useRef(row)
  const form = useForm<Values, unknown>({
    initial: Object.fromEntries(fields.map((field) => [field.name, item ? item[field.name] : (field.default ?? null)])),
    async save(values, changed, once) {
      if (!item) return post(base, values, once)
      return Object.keys(changed).length > 0 ? patch(`${base}/${item.id}`, changed, known.current) : undefined
    },
    onSaved(saved) {
      notifyChange(item ? t('Saved.') : t('{label} added.', { label: fields[0]!.label }), saved)
      onClose()
      onChanged()
    },
    onLate(saved) {
      notify(
        saved instanceof Error
          ? t('Not saved: {message}', { message: saved.message })
          : t('Too late to cancel: the {label} was saved.', { label }),
      )
      onChanged()
    },
    async reread() {
      known.current = await get<Row>(`/${path}/${row.id}`)
      const now = (known.current[as] as Row[]).find(({ id }) => id === item?.id)
      if (!now) throw new ApiError('NOT_FOUND', t('Somebody else removed this {label} in the meantime.', { label }))
      return Object.fromEntries(fields.map((field) => [field.name, now[field.name]]))
    },
  })
  return (
    <FormDialog
      title={`${item ? t('Edit') : t('Add')} ${label}`}
      small
      verb={t('Save')}
      {...{ of: form, fields, onClose }}
    >
      {fields.map((field, at) => (
        <ItemField key={field.name} field={field} {...form.field(field.name)} autoFocus={at === 0} />
      ))}
    </FormDialog>
  )
}

function ItemField(props: FieldState<unknown> & { field: DescribedField; autoFocus: boolean }) {
  const { field, value, onValue } = props
  if (field.name !== 'type' || typeof value !== 'string') return <FieldInput {...props} />
  const take = (text: unknown) => onValue(typeof text === 'string' ? itemTypeOf(text) : text)
  return <FieldInput {...props} value={itemTypeText(value)} onValue={take} />
}
