import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { get, list, patch, remove } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { ChipsInput } from '../forms/chips-input.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ask } from '../parts/dialog.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { Tool } from '../parts/tool.tsx'
import { environmentOf } from '../session/place.ts'
import { declaredOf, fieldOf, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { useSettingForm } from './use-setting-form.ts'

const stagesMax = 100

/** The pipeline's stages: their order, names and colors. */
export function Stages() {
  const loaded = useData((signal) => list<Row>('/api-v1-stages', { limit: stagesMax }, signal), [])
  useNews(({ resource }) => resource === 'stage', loaded.refresh)
  const [edited, setEdited] = useState<Row | 'new'>()
  const stages = loaded.data?.data ?? []
  const move = async (stage: Row, by: number) => {
    try {
      const moved = await patch(`/api-v1-stages/${stage.id}`, { position: stage.position + by })
      notifyChange(t('{name} moved.', { name: stage.name }), moved)
    } catch (error) {
      notify((error as Error).message)
    }
    loaded.reload()
  }
  const edit = ({ id }: Row) =>
    get<Row>(`/api-v1-stages/${id}`).then(setEdited, (error: Error) => notify(error.message))
  return (
    <ListCard
      label={t('Stages')}
      heading={t('Stages of the {environment} pipeline', { environment: environmentOf(location.pathname) })}
      verb={t('Add stage')}
      onAdd={() => setEdited('new')}
      loaded={loaded}
    >
      <ol class="list">
        {stages.map((stage, at) => (
          <li key={stage.id} class="middle">
            <span class="dot" style={{ backgroundColor: stage.color }} />
            <span class="grow">{stage.name}</span>
            <Tool
              icon={ArrowUp}
              label={t('Move {name} up', { name: stage.name })}
              disabled={at === 0}
              onClick={() => move(stage, -1)}
            />
            <Tool
              icon={ArrowDown}
              label={t('Move {name} down', { name: stage.name })}
              disabled={at === stages.length - 1}
              onClick={() => move(stage, 1)}
            />
            <Tool icon={Pencil} label={t('Edit {name}', { name: stage.name })} onClick={() => edit(stage)} />
            <Tool
              icon={Trash2}
              label={t('Delete {name}', { name: stage.name })}
              onClick={() => askDeletion(stage, loaded.reload)}
            />
          </li>
        ))}
      </ol>
      {edited && (
        <StageForm
          {...(edited !== 'new' && { stage: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            loaded.reload()
          }}
        />
      )}
    </ListCard>
  )
}

function askDeletion(stage: Row, onDeleted: () => void): void {
  ask({
    title: t('Delete {name}?', { name: stage.name }),
    body: t('A stage can only be deleted when no deal is in it.'),
    verb: t('Delete'),
    async run() {
      notifyChange(t('{name} deleted.', { name: stage.name }), await remove(`/api-v1-stages/${stage.id}`))
      onDeleted()
    },
  })
}

interface StageFormProps {
  stage?: Row
  onSaved: () => void
  onClose: () => void
}

const stageFields = ['name', 'color', 'stale_after_days'] as const

function StageForm({ stage, onSaved, onClose }: StageFormProps) {
  const form = useSettingForm({
    path: '/api-v1-stages',
    label: t('Stage'),
    record: stage,
    valuesOf: (of) => ({
      name: of?.name ?? '',
      color: of?.color ?? '#64748b',
      stale_after_days: of?.stale_after_days ?? null,
      requires: of?.requires ?? [],
    }),
    onSaved,
  })
  return (
    <FormDialog
      title={stage ? t('Edit stage') : t('New stage')}
      small
      verb={t('Save')}
      fields={resourceOf('stage').fields}
      {...{ of: form, onClose }}
    >
      {stageFields.map((name) => (
        <FieldInput
          key={name}
          field={fieldOf('stage', name)}
          {...form.field(name)}
          hint={hints[name]}
          autoFocus={name === 'name'}
        />
      ))}
      <ChipsInput
        label={fieldOf('stage', 'requires').label}
        options={requirable()}
        hint={t('Without these, no deal enters the stage. Deals that are in it stay.')}
        {...form.field('requires')}
      />
    </FormDialog>
  )
}

const hints: Readonly<Record<string, string>> = {
  stale_after_days: t('Deals in which nothing happens for so long are marked. Empty: never.'),
}

/** What a stage can require: the filters of deals that forms set and that may be empty, people, and declared fields. */
function requirable(): { value: string; label: string }[] {
  const { filters, fields } = resourceOf('deal')
  const mayBeEmpty = ({ required, readonly, chosen, default: fallback }: DescribedField) =>
    !required && !readonly && !chosen && fallback === undefined
  const own = fields.filter((field) => filters.includes(field.name) && mayBeEmpty(field))
  const all = [...own, { name: 'people', label: t('People') }, ...declaredOf('deal')]
  return all.map(({ name, label }) => ({ value: name, label }))
}
