/** Prints a command's result as one JSON object or as text. */
export function print(json: boolean | undefined, result: object, lines: string): void {
  process.stdout.write(`${json ? JSON.stringify(result) : lines}\n`)
}

/** Rows of text in columns as wide as their widest cell. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
