import { Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { fold } from '../../../lib/text.ts'
import { get, list, remove } from '../data/http.ts'
import { refreshDescription } from '../data/load-session.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ask } from '../parts/dialog.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { Segments } from '../parts/segments.tsx'
import { Tool } from '../parts/tool.tsx'
import { fieldOf, resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { about, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { FieldSuggestions } from './field-suggestions.tsx'
import { useSettingForm } from './use-setting-form.ts'

/** More than a resource can have. */
const fieldsMax = 100

/** The declared fields of each resource (decision J3). */
export function DeclaredFields() {
  const declarable = fieldOf('field', 'resource').options!
  const [of, setOf] = useState(declarable[0]!)
  return (
    <div class="stack">
      <Segments label={t('Records')}>
        {declarable.map((name) => (
          <button key={name} type="button" aria-pressed={name === of} onClick={() => setOf(name)}>
            {resourceOf(name).plural}
          </button>
        ))}
      </Segments>
      <FieldsOf key={of} of={of} />
    </div>
  )
}

function FieldsOf({ of }: { of: string }) {
  const loaded = useData((signal) => list<Row>('/api-v1-fields', { resource: of, limit: fieldsMax }, signal), [])
  useNews(({ resource }) => resource === 'field', loaded.refresh)
  const [edited, setEdited] = useState<Row | 'new'>()
  const fields = loaded.data?.data ?? []
  const reload = () => {
    loaded.reload()
    void refreshDescription()
  }
  const edit = ({ id }: Row) =>
    get<Row>(`/api-v1-fields/${id}`).then(setEdited, (error: Error) => notify(error.message))
  return (
    <ListCard
      label={t('Fields')}
      heading={about('Fields of {noun}', resourceOf(of).plural)}
      verb={t('Add field')}
      onAdd={() => setEdited('new')}
      loaded={loaded}
    >
      {loaded.data && fields.length === 0 && (
        <p class="body muted">{t('None. A field is part of the metadata, and lists filter and sort by it.')}</p>
      )}
      {loaded.data && <FieldSuggestions resource={of} fields={fields} onDeclared={reload} />}
      <ol class="list">
        {fields.map((field) => (
          <li key={field.id} class="middle">
            <span class="grow">
              {field.label ?? field.key} <span class="muted">{aboutOf(field)}</span>
            </span>
            <Tool
              icon={Pencil}
              label={t('Edit {name}', { name: field.label ?? field.key })}
              onClick={() => edit(field)}
            />
            <Tool
              icon={Trash2}
              label={t('Delete {key}', { key: field.key })}
              onClick={() => askDeletion(field, reload)}
            />
          </li>
        ))}
      </ol>
      {edited && (
        <FieldForm
          resource={of}
          position={fields.length}
          {...(edited !== 'new' && { field: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            reload()
          }}
        />
      )}
    </ListCard>
  )
}

function aboutOf({ key, type, unique }: Row): string {
  return [key, word(type), ...(unique ? [t('unique')] : [])].join(' · ')
}

function askDeletion(field: Row, onDeleted: () => void): void {
  ask({
    title: t('Delete {name}?', { name: field.label ?? field.key }),
    body: t('The records keep their values, but lists no longer filter or sort by them.'),
    verb: t('Delete'),
    async run() {
      notifyChange(t('{name} deleted.', { name: field.label ?? field.key }), await remove(`/api-v1-fields/${field.id}`))
      onDeleted()
    },
  })
}

interface FieldFormProps {
  resource: string
  /** The position of a new field. */
  position: number
  field?: Row
  onSaved: () => void
  onClose: () => void
}

function FieldForm({ resource, position, field, onSaved, onClose }: FieldFormProps) {
  const form = useSettingForm({
    path: '/api-v1-fields',
    label: t('Field'),
    record: field,
    valuesOf: (record) => valuesOf(record, position),
    bodyOf: (values) => ({ ...values, resource, key: values.key ?? keyFrom(values.label) }),
    onSaved,
  })
  const names = field ? ['label', 'position'] : ['label', 'key', 'type']
  const { type } = form.values
  const more = { choice: ['unique', 'options'], choices: ['options'] }[String(type)] ?? ['unique']
  const shown = [...names, ...more]
  return (
    <FormDialog
      title={field ? t('Edit {name}', { name: field.label ?? field.key }) : t('New field')}
      small
      verb={t('Save')}
      fields={resourceOf('field').fields}
      {...{ of: form, onClose }}
    >
      {shown.map((name) => (
        <FieldInput
          key={name}
          field={fieldOf('field', name)}
          {...form.field(name)}
          hint={hints[name]}
          autoFocus={name === 'label'}
        />
      ))}
    </FormDialog>
  )
}

const hints: Readonly<Record<string, string>> = {
  key: t('Its name in the metadata, which never changes. Empty: made from the label.'),
  options: t('One per line, in the order in which lists sort them.'),
}

/** A key like the label: `renewal_date` for `Renewal date`. */
function keyFrom(label: unknown): string {
  return fold(String(label ?? ''))
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 50)
}

function valuesOf(field: Row | undefined, position: number): Record<string, unknown> {
  if (!field) return { label: null, key: null, type: 'text', options: [], unique: false, position }
  return {
    label: field.label,
    type: field.type,
    options: field.options,
    unique: field.unique,
    position: field.position,
  }
}
