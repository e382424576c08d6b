import { list } from './http.ts'
import type { Row } from './resource-views.ts'

/** The stages of all pipelines. Almost always, one request has them. */
export async function loadStages(signal?: AbortSignal): Promise<Row[]> {
  const stages: Row[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await list<Row>('/api-v1-stages', { limit: 100, ...(page > 1 && { page }) }, signal)
    stages.push(...data)
    if (!pagination.has_more) return stages
  }
}
