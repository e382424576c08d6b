/** The record that a reference refers to: its id and name. */
export interface Choice {
  id: string
  label: string
}

export function isChoice(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null && 'id' in value && 'label' in value
}
