import { ArrowDown, ArrowUp, Pencil, Star, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { get, patch, remove } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ask } from '../parts/dialog.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { Tool } from '../parts/tool.tsx'
import { fieldOf, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { useSettingForm } from './use-setting-form.ts'

interface PipelinesProps {
  pipelines: readonly Row[]
  onChanged: () => void
}

/** The pipelines: their order and names, and which one is the default. */
export function Pipelines({ pipelines, onChanged }: PipelinesProps) {
  const [edited, setEdited] = useState<Row | 'new'>()
  const change = async ({ id }: Row, values: object, done: string) => {
    try {
      notifyChange(done, await patch(`/api-v1-pipelines/${id}`, values))
    } catch (error) {
      notify((error as Error).message)
    }
    onChanged()
  }
  const move = (pipeline: Row, by: number) =>
    change(pipeline, { position: pipeline.position + by }, t('{name} moved.', { name: pipeline.name }))
  const edit = ({ id }: Row) =>
    get<Row>(`/api-v1-pipelines/${id}`).then(setEdited, (error: Error) => notify(error.message))
  return (
    <ListCard label={t('Pipelines')} verb={t('Add pipeline')} onAdd={() => setEdited('new')}>
      <ol class="list">
        {pipelines.map((pipeline, at) => {
          const { name, is_default } = pipeline
          return (
            <li key={pipeline.id} class="middle wraps">
              <span class="grow">
                {name} {is_default && pipelines.length > 1 && <span class="badge">{t('Default')}</span>}
              </span>
              <span class="row">
                {!is_default && (
                  <Tool
                    icon={Star}
                    label={t('Make {name} the default', { name })}
                    onClick={() => change(pipeline, { is_default: true }, t('{name} is the default now.', { name }))}
                  />
                )}
                <Tool
                  icon={ArrowUp}
                  label={t('Move {name} up', { name })}
                  disabled={at === 0}
                  onClick={() => move(pipeline, -1)}
                />
                <Tool
                  icon={ArrowDown}
                  label={t('Move {name} down', { name })}
                  disabled={at === pipelines.length - 1}
                  onClick={() => move(pipeline, 1)}
                />
                <Tool icon={Pencil} label={t('Edit {name}', { name })} onClick={() => edit(pipeline)} />
                <Tool
                  icon={Trash2}
                  label={t('Delete {name}', { name })}
                  onClick={() => askDeletion(pipeline, onChanged)}
                />
              </span>
            </li>
          )
        })}
      </ol>
      {edited && (
        <PipelineForm
          {...(edited !== 'new' && { pipeline: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            onChanged()
          }}
        />
      )}
    </ListCard>
  )
}

function askDeletion({ id, name }: Row, onDeleted: () => void): void {
  ask({
    title: t('Delete {name}?', { name }),
    body: t('A pipeline can only be deleted when it has no deals. Its stages go with it.'),
    verb: t('Delete'),
    async run() {
      notifyChange(t('{name} deleted.', { name }), await remove(`/api-v1-pipelines/${id}`))
      onDeleted()
    },
  })
}

interface PipelineFormProps {
  pipeline?: Row
  onSaved: () => void
  onClose: () => void
}

function PipelineForm({ pipeline, onSaved, onClose }: PipelineFormProps) {
  const form = useSettingForm({
    path: '/api-v1-pipelines',
    label: resourceOf('pipeline').label,
    record: pipeline,
    valuesOf: (of) => ({ name: of?.name ?? '' }),
    onSaved,
  })
  return (
    <FormDialog
      title={pipeline ? t('Edit pipeline') : t('New pipeline')}
      small
      verb={t('Save')}
      fields={resourceOf('pipeline').fields}
      {...{ of: form, onClose }}
    >
      <TextField label={fieldOf('pipeline', 'name').label} {...form.field('name')} autoFocus />
    </FormDialog>
  )
}
