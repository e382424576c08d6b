const lineMax = 116

/** Fills lines of SQL with the parts. */
export function wrap(parts: string[]): string {
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1)}, ${part}`
    if (lines.length > 0 && longer.length < lineMax) lines[lines.length - 1] = longer
    else lines.push(`    ${part}`)
  }
  return lines.join(',\n')
}
