import { resource } from '../engine/records/define.ts'
import type { Change, Row } from '../engine/records/definition/change.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { chosen, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { texts } from '../engine/records/kinds/list-kinds.ts'
import { choice, pattern, text } from '../engine/records/kinds/text-kinds.ts'
import { position, whole } from '../engine/records/kinds/value-kinds.ts'
import { storedCount } from '../engine/records/select.ts'
import { ApiError, validationError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import { lookupDefaultPipeline, pipeline } from './pipeline.ts'
import { positionsOf } from './positions.ts'

/** How many stages are moved on the event loop. */
const shiftedMax = 100

/** A hundred years. */
const staleDaysMax = 36_500

const { place, leave, comeBack, arrange } = positionsOf((): Resource => stage, 'pipeline_id')

/** A stage of a pipeline (decision E1). */
export const stage = resource('stage', {
  path: 'api-v1-stages',
  scope: 'deals',
  fields: {
    name: required(text(), 'Name is required'),
    color: pattern(/^#[0-9A-Fa-f]{6}$/, 'a color #rrggbb', {
      examples: ['#64748b', '#00ff7f', '#abcdef'],
      default: '#64748b',
      store: (color) => color.toLowerCase(),
    }),
    position: chosen(position()),
    kind: choice(['open', 'won', 'lost'], { default: 'open' }),
    pipeline_id: chosen(reference(pipeline)),
    requires: texts({ max: 50, lengthMax: 100, examples: [['people'], ['expected_close_date', 'probability']] }),
    stale_after_days: whole({ min: 1, max: staleDaysMax }),
    metadata: metadata(),
  },
  offers: { views: false, imports: false, agents: 'none' },
  filters: ['name', 'position', 'kind', 'pipeline_id', 'created_at', 'updated_at'],
  sorts: ['position', 'name', 'created_at', 'updated_at'],
  defaultSort: 'position',
  defaultSortThrough: { by: 'pipeline_id', field: 'position' },
  pageSize: { default: 50, max: 100 },
  summary: ['id', 'name', 'color', 'position'],
  unique: 'name',
  within: 'pipeline_id',
  partOf: 'pipeline_id',
  beforeWrite,
  isLongWrite: (reader) => storedCount('stage', reader) > shiftedMax,
  mayRemove: requireNoDeals,
  beforeRemove: leave,
  beforeRestore: comeBack,
  afterUndo: arrange,
  goesWith: { position: 'pipeline_id' },
  about: {
    summary: 'A stage of a pipeline. Stages are ordered by pipeline, then by `position`.',
    fields: {
      name: 'Unique among the stages of its pipeline, case-insensitively.',
      color: '`#rrggbb`, stored in lower case.',
      position: 'From 0, without gaps. Inserting a stage moves the ones after it. Default: the last position.',
      pipeline_id: 'The id of a pipeline. Default: the default one. The deals of a stage move with it.',
      requires:
        'What a deal must have to enter the stage: names of filters, `metadata.<key>` of declared fields, and `people`. A deal that is in the stage may lack it.',
      stale_after_days:
        'A deal is stale when nothing has happened for so many days in an open stage: the filter `is_stale` of deals finds it. Null: never.',
      kind: 'What a deal in this stage is: still `open`, `won` or `lost`.',
    },
    conflicts: { delete: 'The stage has deals.' },
    example: { name: 'Demo booked', color: '#0ea5e9', position: 0 },
    patch: { name: 'Demo held' },
  },
})

/** A stage without a pipeline is in the default one. */
function beforeWrite(change: Change): void {
  const { tx, after } = change
  after.pipeline_id ??= lookupDefaultPipeline(tx) ?? null
  if (after.pipeline_id === null) {
    const message = 'There is no pipeline: create one first'
    throw validationError([{ field: 'pipeline_id', message, code: 'REQUIRED' }])
  }
  place(change)
}

/** The ids of the stages of the default pipeline, in their order. */
export function listStageIds(reader: Reader): string[] {
  const sql = `SELECT id FROM stage INDEXED BY stage_pipeline_id
    WHERE workspace_id = :workspace AND pipeline_id = ? AND deleted_at IS NULL ORDER BY position`
  return reader.values<string>(sql, lookupDefaultPipeline(reader) ?? null)
}

/** The id of the first stage of the default pipeline. The index has the stages of all pipelines in order. The scan ends at the position of any stage of the pipeline, so a pipeline without stages reads none. */
export function lookupFirstStage(reader: Reader): string | undefined {
  const sql = `SELECT id FROM stage INDEXED BY stage_position
    WHERE workspace_id = :workspace AND pipeline_id = ? AND deleted_at IS NULL
      AND position <= (SELECT position FROM stage AS own INDEXED BY stage_pipeline_id
        WHERE workspace_id = :workspace AND pipeline_id = ? AND deleted_at IS NULL LIMIT 1)
    ORDER BY position LIMIT 1`
  const pipelineId = lookupDefaultPipeline(reader) ?? null
  return reader.value<string>(sql, pipelineId, pipelineId)
}

function requireNoDeals(reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>): void {
  const sql = `SELECT id FROM deal WHERE workspace_id = :workspace AND stage_id = ? AND deleted_at IS NULL
    AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`
  const stays = reader.value(sql, id, JSON.stringify([...planned.keys()])) !== undefined
  const comes = [...planned.values()].some((row) => row?.stage_id === id)
  if (stays || comes) throw new ApiError('CONFLICT', 'Stage has deals: move them to another stage first')
}
