import { resource } from '../engine/records/define.ts'
import type { Change, Row } from '../engine/records/definition/change.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { chosen, required } from '../engine/records/kinds/fields.ts'
import { text } from '../engine/records/kinds/text-kinds.ts'
import { flag, position } from '../engine/records/kinds/value-kinds.ts'
import { storedCount } from '../engine/records/select.ts'
import { ApiError, validationError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import { type Also, positionsOf } from './positions.ts'

/** How many pipelines are moved on the event loop. */
const shiftedMax = 100

const { place, leave, comeBack, arrange } = positionsOf((): Resource => pipeline)

/** A way of selling, with stages of its own (decision T1). */
export const pipeline = resource('pipeline', {
  path: 'api-v1-pipelines',
  scope: 'deals',
  fields: {
    name: required(text(), 'Name is required'),
    position: chosen(position()),
    is_default: flag(),
  },
  offers: { imports: false },
  filters: ['name', 'position', 'is_default', 'created_at', 'updated_at'],
  sorts: ['position', 'name', 'created_at', 'updated_at'],
  defaultSort: 'position',
  pageSize: { default: 50, max: 100 },
  summary: ['id', 'name', 'position', 'is_default'],
  unique: 'name',
  sole: { flag: 'is_default', isAlwaysSet: true },
  beforeWrite,
  isLongWrite: (reader) => storedCount('pipeline', reader) > shiftedMax,
  mayRemove,
  beforeRemove: leave,
  beforeRestore,
  afterUndo: arrange,
  about: {
    summary: 'A pipeline: deals go through its stages. Pipelines are ordered by `position`.',
    fields: {
      name: 'Unique among the pipelines, case-insensitively.',
      position: 'From 0, without gaps. Inserting a pipeline moves the ones after it. Default: the last position.',
      is_default:
        'Whether new stages, and deals without a stage, go there. There is always one: setting it clears that of the former one.',
    },
    conflicts: { delete: 'It is the default pipeline, or it has deals.' },
    example: { name: 'Partners', position: 0 },
    listed: [{ name: 'Sales', position: 1, is_default: true }],
    patch: { name: 'Resellers' },
  },
})

/** The pipeline of stages and deals that name none. */
export function lookupDefaultPipeline(reader: Reader): string | undefined {
  const sql = 'SELECT id FROM pipeline WHERE workspace_id = :workspace AND is_default = 1 AND deleted_at IS NULL'
  return reader.value<string>(sql)
}

/** Exactly one pipeline is the default: the first one, and then the one that was given the flag last. */
function beforeWrite(change: Change): void {
  const { tx, before, after } = change
  const former = lookupDefaultPipeline(tx)
  if (before?.is_default === 1 && after.is_default === 0) {
    const message = 'Is default cannot be cleared: make another pipeline the default'
    throw validationError([{ field: 'is_default', message, code: 'INVALID_VALUE' }])
  }
  if (former === undefined) after.is_default = 1
  place(change, clearing(former, change))
}

/** What makes the former default pipeline an ordinary one, if another one takes its place. */
function clearing(former: string | undefined, { id, after }: Change): Also | undefined {
  const isReplaced = former !== undefined && former !== id && after.is_default === 1
  return isReplaced ? { id: former, changes: { is_default: 0 } } : undefined
}

/** `planned`: what pipelines, stages and deals will be before that. */
function mayRemove(reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>): void {
  const isDefault = planned.get(id)?.is_default ?? Number(lookupDefaultPipeline(reader) === id)
  const isReplaced = [...planned].some(([other, row]) => other !== id && row?.is_default === 1)
  if (isDefault === 1 && !isReplaced) {
    throw new ApiError('CONFLICT', 'The default pipeline cannot be deleted: make another pipeline the default first')
  }
  const stages = new Set(stagesOf(reader, id, planned))
  const sql = `SELECT 1 FROM deal INDEXED BY deal_stage_id WHERE workspace_id = :workspace AND stage_id IN (SELECT value FROM json_each(?))
    AND deleted_at IS NULL AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`
  const stays = reader.value(sql, JSON.stringify([...stages]), JSON.stringify([...planned.keys()])) !== undefined
  const comes = [...planned.values()].some((row) => stages.has(String(row?.stage_id)))
  if (stays || comes) throw new ApiError('CONFLICT', 'Pipeline has deals: move them to another pipeline first')
}

/** The ids of the stages that a pipeline will have. */
function stagesOf(reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>): string[] {
  const sql = 'SELECT id FROM stage WHERE workspace_id = :workspace AND pipeline_id = ? AND deleted_at IS NULL'
  const others = reader.values<string>(sql, id).filter((stage) => !planned.has(stage))
  return [...others, ...[...planned].flatMap(([stage, row]) => (row?.pipeline_id === id ? [stage] : []))]
}

/** A restored pipeline is the last one, and not the default (decision G11), unless an undo gives the flag back to it. */
function beforeRestore(change: Change): void {
  const { tx, given, after } = change
  const former = lookupDefaultPipeline(tx)
  after.is_default = Number(former === undefined || given.is_default === 1)
  comeBack(change, clearing(former, change))
}
