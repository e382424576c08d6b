import { Pencil, Trash2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../../../errors.ts'
import type { DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { get, patch, post, remove } from '../data/http.ts'
import { initialValue } from '../data/initial-value.ts'
import { isRank, mainOf } from '../data/item-values.ts'
import type { Row } from '../data/resource-views.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ItemField } from '../forms/item-field.tsx'
import { useForm } from '../forms/use-form.ts'
import { ask } from '../parts/dialog.tsx'
import { itemFacts, itemTitle } from '../parts/item-text.ts'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { Tool } from '../parts/tool.tsx'
import { ItemLink } from '../parts/value.tsx'
import { resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { about, noun, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface ItemsProps {
  of: string
  /** `emails` */
  name: string
  row: Row
  onChanged: () => void
}

/** The items of a record. */
export function Items({ of, name, row, onChanged }: ItemsProps) {
  const { label, path, collections } = resourceOf(of)
  const collection = collections[name]!
  const items: Row[] = row[collection.as]
  const base = `/${path}/${row.id}/${name}`
  const [edited, setEdited] = useState<Row | 'new'>()
  return (
    <ListCard label={word(name)} verb={about('Add {noun}', collection.label)} onAdd={() => setEdited('new')}>
      {items.length === 0 && <p class="muted body">{t('None yet.')}</p>}
      <ul class="list">
        {items.map((item) => (
          <li key={item.id}>
            <span class="grow">
              <ItemLink item={item} field={mainOf(collection)} />
              <span class="muted small"> {itemFacts(collection, item).join(' · ')}</span>
            </span>
            <Tool
              icon={Pencil}
              label={t('Edit {item}', { item: itemTitle(collection, item) })}
              onClick={() => setEdited(item)}
            />
            <Tool
              icon={Trash2}
              label={t('Remove {item}', { item: itemTitle(collection, item) })}
              onClick={() => askRemoval(label, `${base}/${item.id}`, itemTitle(collection, item), onChanged)}
            />
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

/** `label`: of the record. */
function askRemoval(label: string, path: string, name: string, onChanged: () => void): void {
  ask({
    title: t('Remove {name}?', { name }),
    body: about('It is removed from this {noun}.', label),
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
  const collection = collections[name]!
  const { as } = collection
  const label = noun(collection.label)
  const fields = collection.fields.filter((field) => !field.readonly)
  const base = `/${path}/${row.id}/${name}`
  const known = useRef(row)
  const form = useForm<Values, unknown>({
    initial: Object.fromEntries(fields.map((field) => [field.name, item ? item[field.name] : firstValue(field)])),
    amounts: Object.fromEntries(fields.flatMap(({ name, currency }) => (currency ? [[name, currency]] : []))),
    async save(values, changed, once) {
      if (!item) return post(base, values, once)
      return Object.keys(changed).length > 0 ? patch(`${base}/${item.id}`, changed, known.current) : undefined
    },
    onSaved(saved) {
      notifyChange(item ? t('Saved.') : t('{label} added.', { label: collection.label }), saved)
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
      title={item ? about('Edit {noun}', collection.label) : about('Add {noun}', collection.label)}
      small
      verb={t('Save')}
      {...{ of: form, fields, onClose }}
    >
      {fields.map((field, at) => (
        <ItemField
          key={field.name}
          {...{ collection, field }}
          {...form.field(field.name)}
          item={form.values}
          autoFocus={at === 0}
        />
      ))}
    </FormDialog>
  )
}

/** Which one is the first among the items is for the server to say, unless the user does. */
function firstValue(field: DescribedField): unknown {
  return isRank(field) ? null : initialValue(field)
}
