/** Headings of a Markdown text, outside code blocks, with their GitHub anchors. */
export interface Heading {
  level: number
  title: string
  anchor: string
}

/** Citations of lettered decisions in any text, in full: `decisions C4 to C6, D1` cites C4, C5, C6 and D1. */
export function decisionsCitedIn(text: string): string[] {
  const separator = '(?:,? (?:and|or|to) |, ?| ?– ?)'
  const pattern = new RegExp(`\\b[Dd]ecisions? ([A-Z]\\d+(?:${separator}[A-Z]\\d+)*)`, 'g')
  return [...joinLines(text).matchAll(pattern)].flatMap((match) => expand(match[1]!))
}

/** The sections of a document that comments cite: `spec: Task, Task status` cites two sections of `spec`. */
export function sectionsCitedIn(code: string, document: string): string[] {
  const comments = joinLines(code).match(/\/\*[\s\S]*?\*\/|(?:\/\/|--).*$/gm) ?? []
  const pattern = new RegExp(`\\b${document}: ([A-Za-z][^;:.()*\`\\n]*)`, 'g')
  return comments
    .flatMap((comment) => [...comment.matchAll(pattern)])
    .flatMap((match) => match[1]!.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !/^decisions?\b/.test(name))
}

export function headingsOf(markdown: string): Heading[] {
  const seen = new Map<string, number>()
  return [...withoutFences(markdown).matchAll(/^(#{1,6}) +(.+?) *$/gm)].map(([, marks, title]) => {
    const slug = slugOf(title!)
    const earlier = seen.get(slug) ?? 0
    seen.set(slug, earlier + 1)
    return { level: marks!.length, title: title!, anchor: earlier === 0 ? slug : `${slug}-${earlier}` }
  })
}

/** The targets of links and images within the project, outside of code. */
export function linksIn(markdown: string): string[] {
  const prose = withoutFences(markdown).replace(/(`+)[^`]+\1/g, '')
  const targets = [
    ...prose.matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g),
    ...prose.matchAll(/^ {0,3}\[[^\]]+\]: *<?([^\s>]+)/gm),
    ...prose.matchAll(/<(?:a|img|source)\b[^>]*? (?:href|src|srcset)="([^"\s]+)/g),
  ].map((match) => match[1]!)
  return targets.filter((target) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target))
}

/** Joins the lines of a wrapped comment or paragraph, so that a citation may be wrapped, too. */
function joinLines(text: string): string {
  return text.replace(/([^\n])\n[ \t]*(?:\*(?![/*])|\/\/|--)?[ \t]*(?=[A-Z]\d|(?:and|or|to) [A-Z]\d)/g, '$1 ')
}

function expand(citation: string): string[] {
  const ids: string[] = []
  let isRange = false
  for (const [part] of citation.matchAll(/[A-Z]\d+|to|–/g)) {
    if (part === 'to' || part === '–') isRange = true
    else {
      ids.push(...(isRange ? between(ids.at(-1)!, part) : [part]))
      isRange = false
    }
  }
  return ids
}

/** The decisions after `first` up to `last`. If their letters differ, only `last`. */
function between(first: string, last: string): string[] {
  const [from, to] = [first, last].map((id) => Number(id.slice(1)))
  if (first[0] !== last[0] || to! <= from!) return [`${first} to ${last}`]
  return Array.from({ length: to! - from! }, (_, index) => `${first[0]}${from! + index + 1}`)
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^ *(```|~~~)[\s\S]*?^ *\1.*$/gm, '')
}

/** The anchor that GitHub generates: links become their text, letters lower case, and spaces hyphens. */
function slugOf(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}
