import { type Row, referenceTo, titleOf } from '../data/resource-views.ts'
import { presetFor } from './related.tsx'

/** The references of a new record to this one, and to those that this one refers to. */
export function referencesOf(made: string, of: string, row: Row): Record<string, string> {
  const preset = presetFor(made, referenceTo(of, made)!, { id: row.id, label: titleOf(of, row) }, row)
  return Object.fromEntries(Object.entries(preset).map(([name, { id }]) => [name, id]))
}
