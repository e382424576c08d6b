import { list } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { loadStages } from '../data/stages.ts'
import { environmentOf } from '../session/place.ts'
import { session } from '../session/session.ts'
import { recall, remember } from '../session/storage.ts'

export const pipelineField = 'pipeline_id'

/** The stages of all pipelines, and the pipelines that have stages, if there are several. */
interface Pipelines {
  stages: readonly Row[]
  /** Empty: there is only one. */
  pipelines: readonly Row[]
}

/** With one pipeline, only its stages are requested. */
export async function loadPipelines(signal?: AbortSignal): Promise<Pipelines> {
  const stages = await loadStages(signal)
  const ids = [...new Set(stages.map((stage): string => stage[pipelineField]))]
  if (ids.length < 2) return { stages, pipelines: [] }
  const { data } = await list<Row>('/api-v1-pipelines', { limit: 100 }, signal)
  return { stages, pipelines: data.filter(({ id }) => ids.includes(id)) }
}

/** The pipeline that is shown: one that was asked for, the one that this user saw last, or the default one. Undefined: there is only one. */
export function shownPipeline({ pipelines }: Pipelines, asked: string | undefined): Row | undefined {
  const find = (id: string | null | undefined) => pipelines.find((each) => each.id === id)
  return find(asked) ?? find(recall(storageKey())) ?? pipelines.find(({ is_default }) => is_default) ?? pipelines[0]
}

/** The stages of a pipeline; undefined: of the only one. */
export function stagesOf({ stages }: Pipelines, pipeline: Row | undefined): Row[] {
  return stages.filter((stage) => !pipeline || stage[pipelineField] === pipeline.id)
}

const storageKey = () => `kontor.pipeline.${session.value!.user.id}.${environmentOf(location.pathname)}`

/** Keeps the pipeline that the user has seen last, for a page whose address names none. */
export function rememberPipeline({ id }: Row): void {
  remember(storageKey(), id)
}
