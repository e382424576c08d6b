import { resource } from '../engine/records/define.ts'
import type { Change, Removal, Row } from '../engine/records/definition/change.ts'
import { chosen, metadata, required } from '../engine/records/kinds/fields.ts'
import { choice, pattern, text } from '../engine/records/kinds/text-kinds.ts'
import { position } from '../engine/records/kinds/value-kinds.ts'
import { changeRow } from '../engine/records/rows/write.ts'
import { storedCount } from '../engine/records/select.ts'
import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** How many stages are moved on the event loop. */
const shiftedMax = 100

/** A stage of the pipeline (decision E1). */
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
    metadata: metadata(),
  },
  offers: { views: false, imports: false, agents: 'none' },
  filters: ['name', 'position', 'kind', 'created_at', 'updated_at'],
  sorts: ['position', 'name', 'created_at', 'updated_at'],
  defaultSort: 'position',
  pageSize: { default: 50, max: 100 },
  summary: ['id', 'name', 'color', 'position'],
  unique: 'name',
  beforeWrite: shiftPositions,
  isLongWrite: (reader) => storedCount('stage', reader) > shiftedMax,
  mayRemove: requireNoDeals,
  beforeRemove: leavePlace,
  beforeRestore: moveToEnd,
  about: {
    summary: 'A stage of the sales pipeline. Stages are ordered by `position`.',
    fields: {
      name: 'Unique among the stages, case-insensitively.',
      color: '`#rrggbb`, stored in lower case.',
      position: 'From 0, without gaps. Inserting a stage moves the ones after it. Default: the last position.',
      kind: 'What a deal in this stage is: still `open`, `won` or `lost`.',
    },
    conflicts: { delete: 'The stage has deals.' },
    example: { name: 'Demo booked', color: '#0ea5e9', position: 0 },
    patch: { name: 'Demo held' },
  },
})

/** Keeps positions from 0 without gaps: inserting or moving a stage moves the others (decision E1). */
function shiftPositions({ tx, id, before, after }: Change): void {
  const others = `FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL AND id <> ?`
  const last = tx.value<number>(`SELECT count(*) ${others}`, id)!
  after.position = Math.min(Number(after.position ?? last), last)
  if (before?.position === after.position) return
  if (!before) shift(tx, id, 1, after.position)
  else if (after.position < Number(before.position)) shift(tx, id, 1, after.position, Number(before.position) - 1)
  else shift(tx, id, -1, Number(before.position) + 1, after.position)
}

/** The ids of all stages, in the order of the pipeline. */
export function listStageIds(reader: Reader): string[] {
  return reader.values<string>(
    'SELECT id FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL ORDER BY position',
  )
}

function requireNoDeals(reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>): void {
  const sql = `SELECT id FROM deal WHERE workspace_id = :workspace AND stage_id = ? AND deleted_at IS NULL
    AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`
  const stays = reader.value(sql, id, JSON.stringify([...planned.keys()])) !== undefined
  const comes = [...planned.values()].some((row) => row?.stage_id === id)
  if (stays || comes) throw new ApiError('CONFLICT', 'Stage has deals: move them to another stage first')
}

function leavePlace({ tx, id, before }: Removal): void {
  shift(tx, id, -1, Number(before.position) + 1)
}

/** A restored stage is the last one (decision G11). */
function moveToEnd({ tx, after }: Change): void {
  after.position = listStageIds(tx).length
}

/** Moves the stages from a position to another one, which is included; default: to the last one. */
function shift(tx: Writer, except: string, by: 1 | -1, from: number, to = Number.MAX_SAFE_INTEGER): void {
  const sql = `SELECT id, position FROM stage
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id <> ? AND position BETWEEN ? AND ?`
  for (const { id, position } of tx.rows<{ id: string; position: number }>(sql, except, from, to)) {
    changeRow(stage, tx, id, { position: position + by })
  }
}
