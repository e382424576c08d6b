/** Prints a command's result as one JSON object or as text. */
export function print(json: boolean | undefined, result: object, lines: string): void {
  process.stdout.write(`${visible(json ? JSON.stringify(result) : lines)}\n`)
}

/** Writes a line beside a command's result. A server's text may be in it. */
export function printAside(line: string): void {
  process.stderr.write(`${visible(line)}\n`)
}

/** Rows of text in columns as wide as their widest cell. */
export function table(rows: string[][]): string {
  const shown = rows.map((row) => row.map((cell) => visible(cell).replaceAll('\n', '\\n')))
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]!.length)))
  return shown
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A text with its control characters other than line feeds escaped, as in JSON: a terminal would obey those in names that others have chosen. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
