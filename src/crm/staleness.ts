import type { Computed } from '../engine/records/definition/options.ts'

/** Whether nothing has happened with a deal for the days of its stage. The index `deal_idle` has the same expression. */
const isIdle = `max(ifnull(last_activity_at, ''), ifnull(entered_at, ''), deal.created_at)
  < strftime('%Y-%m-%dT%H:%M:%fZ', ?, '-' || stage.stale_after_days || ' days')`
const isStaling = "stage.kind = 'open' AND stage.stale_after_days IS NOT NULL"

/** Whether a deal is stale (decision T5). */
export const staleness: Computed = {
  holds: `EXISTS (SELECT 1 FROM stage
    WHERE stage.workspace_id = :workspace AND stage.id = deal.stage_id AND ${isStaling} AND ${isIdle})`,
  records: `SELECT deal.id FROM stage CROSS JOIN deal INDEXED BY deal_idle
    WHERE stage.workspace_id = :workspace AND stage.deleted_at IS NULL AND ${isStaling}
      AND deal.workspace_id = :workspace AND deal.stage_id = stage.id AND ${isIdle} AND deal.deleted_at IS NULL`,
  about:
    'Whether nothing has happened for longer than the `stale_after_days` of its stage, which is open: no activity, no completed task, no message of the team, no move, and it was not created since. As of the moment of the request.',
}
