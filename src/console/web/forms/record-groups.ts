import { list } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { resourceOf } from '../session/session.ts'

/** Whether a resource has an order of its own, as stages do: then it has so few records that all are offered. */
export function isOrdered(target: string): boolean {
  return resourceOf(target).fields.some(({ kind }) => kind === 'position')
}

const groupsMax = 100

/** By the ids of records that belong to several groups, as stages do to pipelines, the name of the group. Of one group, nothing. */
export async function groupNames(
  target: string,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (!isOrdered(target)) return new Map()
  const reference = resourceOf(target).fields.find((field) => field.target && isOrdered(field.target))
  if (!reference || new Set(rows.map((row) => row[reference.name])).size < 2) return new Map()
  const groups = await list<Row>(`/${resourceOf(reference.target!).path}`, { limit: groupsMax }, signal)
  const names = new Map(groups.data.map((group) => [group.id, titleOf(reference.target!, group)]))
  return new Map(rows.map((row) => [row.id, names.get(row[reference.name]) ?? '']))
}
