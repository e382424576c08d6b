const linesMax = 60
const lines: string[] = []

/** Keeps a line of a server's log, or of what a browser says, for the report of a test that fails. */
export function keepLine(line: string): void {
  lines.push(line)
  if (lines.length > 2 * linesMax) lines.splice(0, linesMax)
}

/** The last lines that were kept. */
export function keptLines(): string[] {
  return lines.slice(-linesMax)
}

export function dropLines(): void {
  lines.length = 0
}
