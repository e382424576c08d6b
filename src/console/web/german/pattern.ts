/** `{label} is required` as the pattern of every message of this form, with the values by their names. */
export function patternOf(text: string): RegExp {
  const parts = text
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 1 ? `(?<${part}>.+?)` : part.replace(/[\\^$.*+?()[\]|]/g, '\\$&')))
  return new RegExp(`^${parts.join('')}$`)
}
