/** A text without the quotation of an earlier mail at its end, and that quotation with the line that introduces it. */
export function withoutQuotation(text: string): { own: string; quoted: string } {
  const lines = text.trimEnd().split('\n')
  let begin = lines.length
  while (begin > 0 && /^\s*(?:>.*)?$/.test(lines[begin - 1]!)) begin--
  if (begin > 0 && lines.length > begin && /:\s*$/.test(lines[begin - 1]!)) begin--
  const own = lines.slice(0, begin).join('\n').trimEnd()
  // A mail that is nothing but a quotation is shown.
  return own === '' ? { own: text, quoted: '' } : { own, quoted: lines.slice(begin).join('\n').trim() }
}
