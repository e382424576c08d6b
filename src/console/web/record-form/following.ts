import { list } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { resourceOf } from '../session/session.ts'

/** The fields of a deal that follow its line items, if it has some (decision T3). */
export function useFollowing(of: string, row: Row | undefined): readonly string[] {
  const query = { 'filter[deal_id]': row?.id, limit: 1 }
  const { data } = useData(
    async (signal) =>
      of === 'deal' && row ? (await list<Row>(`/${resourceOf('line_item').path}`, query, signal)).data : [],
    [row?.id],
  )
  return data && data.length > 0 ? ['value', 'currency'] : []
}
