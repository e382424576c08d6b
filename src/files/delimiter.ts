const delimiters = [',', ';', '\t', '|']
/** What a delimiter is worth if the first row has another number of cells than most. */
const otherHeader = 0.2

/**
 * The delimiter that makes the most rows equally wide, the first one among them, and wide. Of several, that which a space seldom follows.
 * `widthsOf` reads the rows with a delimiter.
 */
export function delimiterOf(head: string, widthsOf: (delimiter: string) => readonly number[]): string {
  const judged = delimiters.map((delimiter) => ({
    delimiter,
    score: evenness(widthsOf(delimiter)),
    spaced: partOf(head, `${delimiter} `, delimiter),
  }))
  const best = Math.max(...judged.map(({ score }) => score))
  if (best === 0) return widest(head)
  const [first] = judged.filter(({ score }) => score === best).sort((a, b) => a.spaced - b.spaced)
  return first!.delimiter
}

/** The part of the rows that are as wide as most, for wider ones more; 0: no row has two cells. */
function evenness(widths: readonly number[]): number {
  const rows = new Map<number, number>()
  for (const width of widths) if (width > 1) rows.set(width, (rows.get(width) ?? 0) + 1)
  const scores = [...rows].map(
    ([width, count]) => (count / widths.length) * Math.log2(width) * (widths[0] === width ? 1 : otherHeader),
  )
  return Math.max(0, ...scores)
}

function partOf(text: string, part: string, whole: string): number {
  return text.split(part).length / text.split(whole).length
}

/** The delimiter that splits the first line into the most columns. */
function widest(head: string): string {
  const header = head
    .slice(0, Math.max(0, head.search(/[\r\n]/)) || head.length)
    .split('"')
    .filter((_, at) => at % 2 === 0)
    .join('')
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}
