import type { Reader } from '../store/reader.ts'

/** The deals of a stage in one currency. */
export interface StageSum {
  stage_id: string
  currency: string
  deals: number
  value: number
}

/** Counts and sums the deals of each stage by currency, the largest number of deals first. */
export function sumStages(reader: Reader): StageSum[] {
  return reader.rows<StageSum>(
    `SELECT stage_id, currency, count(*) AS deals, sum(value) AS value FROM deal
      WHERE workspace_id = :workspace AND deleted_at IS NULL GROUP BY stage_id, currency ORDER BY deals DESC`,
  )
}
