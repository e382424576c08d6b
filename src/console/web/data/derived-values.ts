import type { DescribedField } from '../../description.ts'
import { resourceOf } from '../session/session.ts'
import { download } from './http.ts'
import type { Row } from './resource-views.ts'

/** The fields that the server derives, and that lists can show: `last_activity_at`. */
export function derivedFields(of: string): DescribedField[] {
  return resourceOf(of).unshown.filter(({ derived }) => derived)
}

/** The records of a page with the derived values among its columns. Records as JSON do not have them, a CSV file does. */
export async function withDerived(of: string, rows: Row[], columns: readonly string[] = []): Promise<Row[]> {
  const names = derivedFields(of).flatMap(({ name }) => (columns.includes(name) ? name : []))
  if (names.length === 0 || rows.length === 0) return rows
  const query = new URLSearchParams({ 'id[in]': rows.map(({ id }) => id).join(), columns: ['id', ...names].join() })
  const file = await (await download(`/${resourceOf(of).path}?${query}`, 'text/csv')).text()
  const lines = file.trim().split(/\r?\n/).slice(1)
  const values = new Map(lines.map((line) => line.split(',')).map(([id, ...cells]) => [id, cells]))
  return rows.map((row) => {
    const known = names.map((name, at) => [name, values.get(row.id)?.[at] || null])
    return { ...row, ...Object.fromEntries(known) }
  })
}
