import type { Migration } from './migrate.ts'

/**
 * When deals were won or lost (decision K9): the time of the change that brought a deal from a stage of another kind, or created it, as far
 * as the log goes back; otherwise the time of its last change. The log of an upgraded database begins with creations by `system`, which do
 * not tell in which stage a deal was.
 */
export const closedDeals: Migration = {
  version: 15,
  sql: `
  ALTER TABLE deal ADD COLUMN closed_at TEXT;
  UPDATE deal SET closed_at = ifnull(
    (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(at) / 1000.0, 'unixepoch') FROM change INDEXED BY change_record_id
      WHERE change.workspace_id = deal.workspace_id AND record_id = unhex(replace(deal.id, '-', ''))
        AND (type = (SELECT id FROM change_term WHERE text = 'deal.created') AND actor <> (SELECT id FROM change_term WHERE text = 'system')
          OR EXISTS (SELECT 1 FROM stage AS former WHERE former.workspace_id = deal.workspace_id
            AND former.id = previous ->> 'stage_id' AND former.kind <> stage.kind))),
    deal.updated_at)
    FROM stage WHERE stage.workspace_id = deal.workspace_id AND stage.id = deal.stage_id AND stage.kind <> 'open';
  CREATE INDEX deal_closed_at ON deal (workspace_id, closed_at, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX deal_closing ON deal (workspace_id, closed_at, stage_id, currency, value, assigned_to, created_at, deleted_at)
    WHERE deleted_at IS NULL AND closed_at IS NOT NULL;
  `,
}
