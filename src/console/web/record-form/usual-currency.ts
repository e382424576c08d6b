import { list } from '../data/http.ts'
import { resourceOf } from '../session/session.ts'

interface Group {
  group: Record<string, string>
  count: number
}

const currenciesMax = 100

/** The currency that most records have, by the field that holds it; nothing if there are no amounts or no records. */
export async function usualCurrency(of: string): Promise<Record<string, string>> {
  const { path, fields } = resourceOf(of)
  const field = fields.find(({ currency }) => currency)?.currency
  if (!field) return {}
  const { data } = await list<Group>(`/${path}/summary`, { group_by: field, limit: currenciesMax })
  const [most] = data.toSorted((a, b) => b.count - a.count)
  return most ? { [field]: most.group[field]! } : {}
}
