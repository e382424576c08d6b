import { signal } from '@preact/signals'
import { now } from '../session/now.ts'
import { localDay } from '../text/days.ts'
import { list } from './http.ts'
import type { Row } from './resource-views.ts'

/** Whether the date in a field of a record has passed although the task or the deal is still open. */
export function isLate(row: Row, name: string): boolean {
  if (name === 'due_date')
    return !['completed', 'cancelled'].includes(row.status) && Date.parse(row[name]) < now().getTime()
  return name === 'expected_close_date' && row[name] < localDay(now()) && kindOf(row.stage_id) === 'open'
}

const kinds = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

/** The kind of a stage; undefined until the stages are loaded, which shows it. */
function kindOf(stageId: string): string | undefined {
  if (!kinds.value.has(stageId) && !asked.has(stageId)) {
    asked.add(stageId)
    list<Row>('/api-v1-stages', { limit: 100 }).then(
      ({ data }) => {
        for (const { id } of data) asked.add(id)
        kinds.value = new Map([...kinds.peek(), ...data.map(({ id, kind }): [string, string] => [id, kind])])
      },
      () => asked.delete(stageId),
    )
  }
  return kinds.value.get(stageId)
}
