/** The record that a reference refers to: its id and name. */
export interface Choice {
  id: string
  label: string
  /** Of a stage: `open`, `won` or `lost`. */
  kind?: string
}

export function isChoice(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null && 'id' in value && 'label' in value
}
