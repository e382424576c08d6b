import { signal } from '@preact/signals'
import { now } from '../session/now.ts'
import { dueAt, localDay } from '../text/days.ts'
import type { Row } from './resource-views.ts'
import { loadStages } from './stages.ts'

/** Whether the date in a field of a record has passed although the task or the deal is still open. */
export function isLate(row: Row, name: string): boolean {
  if (name === 'due_date') return isOverdue(row)
  return name === 'expected_close_date' && row[name] < localDay(now()) && kindOf(row.stage_id) === 'open'
}

export function isOverdue(task: Row): boolean {
  return isOpen(task) && dueMs(task) < now().getTime()
}

export function isOpen({ status }: Row): boolean {
  return status !== 'completed' && status !== 'cancelled'
}

/** The end of the time in which a task is due, in milliseconds since 1970; infinite without a date. */
export function dueMs({ due_date }: Row): number {
  return due_date ? Date.parse(dueAt(due_date)) : Number.POSITIVE_INFINITY
}

const kinds = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

/** The kind of a stage; undefined until the stages are loaded, which shows it. */
function kindOf(stageId: string): string | undefined {
  if (!kinds.value.has(stageId) && !asked.has(stageId)) {
    asked.add(stageId)
    loadStages().then(
      (stages) => {
        for (const { id } of stages) asked.add(id)
        kinds.value = new Map([...kinds.peek(), ...stages.map(({ id, kind }): [string, string] => [id, kind])])
      },
      () => asked.delete(stageId),
    )
  }
  return kinds.value.get(stageId)
}
