/** The record that a reference refers to: its id and name. */
export interface Choice {
  id: string
  label: string
  /** What it was found by, if its name does not show it. */
  matched?: string | undefined
  /** Of a stage: `open`, `won` or `lost`. */
  kind?: string
  /** Of a stage: what a deal must have to enter it. */
  requires?: readonly string[]
}

export function isChoice(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null && 'id' in value && 'label' in value
}

/** A record that does not exist yet: a form creates it when it is saved. */
interface NewChoice extends Choice {
  isNew: true
}

export function newChoice(label: string): NewChoice {
  return { id: `new ${label}`, label, isNew: true }
}

export function isNewChoice(value: unknown): value is NewChoice {
  return isChoice(value) && 'isNew' in value
}
