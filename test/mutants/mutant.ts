/** A fault that a tired engineer makes. The suite should notice it. */
export interface Mutant {
  /** Says what is wrong. */
  name: string
  kind: 'wrong operator' | 'missing check' | 'off by one' | 'swallowed error'
  /** In `src`. */
  file: string
  /** Occurs exactly once in the file. */
  text: string
  becomes: string
  /** Globs of the test files that should notice it, in the order in which they are run. */
  tests: readonly string[]
}

/** The text of the file with the fault. Throws if the text of the fault is not in it exactly once. */
export function planted(source: string, { name, file, text, becomes }: Mutant): string {
  const count = source.split(text).length - 1
  if (count !== 1) throw new Error(`${name}: ${file} has its text ${count} times instead of once: ${text}`)
  return source.replace(text, () => becomes)
}
