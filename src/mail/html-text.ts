import { cleanLines } from './clean-text.ts'

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** The text of sanitized HTML, whose tags and entities have one form each. */
export function textOf(html: string): string {
  const lines = html
    .replace(/<pre[^>]*>[\s\S]*?<\/pre>/g, (block) => block.replace(/\n/g, '<br />'))
    .replace(/\s+/g, ' ')
    .replace(/<(?:br|hr) \/>/g, '\n')
    .replace(/<\/?(?:p|h[1-6]|ul|ol|blockquote|table|pre)(?: [^>]*)?>/g, '\n\n')
    .replace(/<\/?(?:div|tr|li|dd|dt|dl|address|article|center|section|header|footer|main|figure)(?: [^>]*)?>/g, '\v')
    .replace(/<\/t[dh]>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity]!)
  return cleanLines(
    lines
      .replace(/[ \u00a0]+/g, ' ')
      .replace(/ ?\v[ \v]*/g, '\v')
      .replace(/\n\v|\v\n/g, '\n')
      .replaceAll('\v', '\n')
      .replace(/ *\n */g, '\n')
      .replace(/\n{3,}/g, '\n\n'),
  ).trim()
}

/** Plain text as HTML. */
export function htmlOf(text: string): string {
  const escaped = text.replace(/[<>&"]/g, (char) => Object.keys(entities).find((entity) => entities[entity] === char)!)
  return `<p>${escaped
    .trim()
    .replace(/\n{2,}/g, '</p><p>')
    .replace(/\n/g, '<br />')}</p>`
}

/** The text of HTML that is too deep to be sanitized. */
export function roughTextOf(html: string): string {
  const text = html.replace(/<[^<>]*>/g, ' ')
  return cleanLines(text.replace(/\s+/g, ' ')).trim()
}
