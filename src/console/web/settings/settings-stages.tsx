import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { get, list, patch, remove } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { loadPipelines } from '../deals/pipelines.ts'
import { ask } from '../parts/dialog.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { Tool } from '../parts/tool.tsx'
import { environmentOf } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { Pipelines } from './settings-pipelines.tsx'
import { StageForm, stageFacts } from './stage-form.tsx'

const pipelinesMax = 100

async function load(signal: AbortSignal) {
  const [pipelines, { stages }] = await Promise.all([
    list<Row>('/api-v1-pipelines', { limit: pipelinesMax }, signal),
    loadPipelines(signal),
  ])
  return { pipelines: pipelines.data, stages }
}

/** The stages of each pipeline: their order, names and colors; and the pipelines. */
export function Stages() {
  const loaded = useData(load, [])
  useNews(({ resource }) => resource === 'stage' || resource === 'pipeline', loaded.refresh)
  if (!loaded.data) return <LoadingBody of={loaded} />
  const { pipelines, stages } = loaded.data
  return (
    <div class="stack">
      {loaded.error && <LoadingBody of={loaded} />}
      {pipelines.map((pipeline) => (
        <StagesOf
          key={pipeline.id}
          pipeline={pipeline}
          pipelines={pipelines}
          stages={stages.filter(({ pipeline_id }) => pipeline_id === pipeline.id)}
          onChanged={loaded.reload}
        />
      ))}
      <Pipelines pipelines={pipelines} onChanged={loaded.reload} />
    </div>
  )
}

interface StagesOfProps {
  pipeline: Row
  pipelines: readonly Row[]
  stages: readonly Row[]
  onChanged: () => void
}

function StagesOf({ pipeline, pipelines, stages, onChanged }: StagesOfProps) {
  const [edited, setEdited] = useState<Row | 'new'>()
  const move = async (stage: Row, by: number) => {
    try {
      const moved = await patch(`/api-v1-stages/${stage.id}`, { position: stage.position + by })
      notifyChange(t('{name} moved.', { name: stage.name }), moved)
    } catch (error) {
      notify((error as Error).message)
    }
    onChanged()
  }
  const edit = ({ id }: Row) =>
    get<Row>(`/api-v1-stages/${id}`).then(setEdited, (error: Error) => notify(error.message))
  const isOnly = pipelines.length === 1
  return (
    <ListCard
      label={isOnly ? t('Stages') : t('Stages of {name}', { name: pipeline.name })}
      heading={
        isOnly
          ? t('Stages of the {environment} pipeline', { environment: environmentOf(location.pathname) })
          : t('Stages of {name}', { name: pipeline.name })
      }
      verb={t('Add stage')}
      onAdd={() => setEdited('new')}
    >
      {stages.length === 0 && <p class="muted body">{t('None yet.')}</p>}
      <ol class="list">
        {stages.map((stage, at) => (
          <li key={stage.id} class="middle wraps">
            <span class="dot" style={{ backgroundColor: stage.color }} />
            <span class="grow">
              {stage.name} <span class="muted small">{stageFacts(stage)}</span>
            </span>
            <span class="row">
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
                onClick={() => askDeletion(stage, onChanged)}
              />
            </span>
          </li>
        ))}
      </ol>
      {edited && (
        <StageForm
          {...(edited !== 'new' && { stage: edited })}
          {...{ pipeline, pipelines }}
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
