import sanitizeHtml, { type IOptions, type Tag } from 'sanitize-html'
import { elementLevelsMax, htmlMax } from './bounds.ts'

const blocks =
  'address article blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section ul'
const phrases =
  'a abbr b bdi big br cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'
const tables = 'caption col colgroup table tbody td tfoot th thead tr'

const color = /^(?:#[0-9a-f]{3,8}|rgba?\([0-9., %]{1,40}\)|[a-z]{3,20})$/i
const length = /^-?(?:\d{1,5}(?:\.\d{1,4})?)(?:px|pt|em|rem|ex|%|cm|mm|in)?$|^auto$/i
const lengths = /^(?:(?:\d{1,5}(?:\.\d{1,4})?(?:px|pt|em|rem|ex|%|cm|mm|in)?|auto)(?:\s+|$)){1,4}$/i
const word = /^[a-z-]{1,30}$/i
const border =
  /^(?:(?:\d{1,3}(?:\.\d{1,2})?(?:px|pt|em)?|none|solid|dashed|dotted|double|groove|ridge|inset|outset|thin|medium|thick|#[0-9a-f]{3,8}|rgba?\([0-9., %]{1,40}\)|[a-z]{3,20})(?:\s+|$)){1,3}$/i

const styles: Record<string, RegExp[]> = {
  ...each('color background-color border-color', color),
  ...each(
    'width height max-width min-width font-size line-height letter-spacing text-indent border-spacing border-radius',
    length,
  ),
  ...each('padding padding-top padding-right padding-bottom padding-left border-width', lengths),
  ...each('margin margin-top margin-right margin-bottom margin-left', lengths),
  ...each('border border-top border-right border-bottom border-left', border),
  ...each(
    'text-align vertical-align text-decoration text-transform font-style white-space word-break border-collapse border-style list-style-type direction',
    word,
  ),
  display: [/^(?:none|block|inline|inline-block|table|table-row|table-cell)$/],
  'font-weight': [/^(?:[a-z]{4,7}|[1-9]00)$/],
  'font-family': [/^[\p{L}\p{N} ,'"-]{1,200}$/u],
}

const layout = ['align', 'valign', 'width', 'height', 'bgcolor', 'dir', 'lang', 'title', 'style']

const options: IOptions = {
  allowedTags: `${blocks} ${phrases} ${tables}`.split(' '),
  allowedAttributes: {
    '*': layout,
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'border', 'data-remote-src', 'data-attachment'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    col: ['span'],
    colgroup: ['span'],
    ol: ['start', 'type'],
  },
  allowedStyles: { '*': styles },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'title',
    'template',
    'iframe',
    'noembed',
    'noframes',
    'xmp',
  ],
}

/** The SHA-256 of an attachment by its Content-ID. */
type AttachmentIds = ReadonlyMap<string, string>

/**
 * HTML of a mail that runs nothing and loads nothing by itself (decision P8). A remote picture has its address in `data-remote-src`, one of
 * an attachment has the SHA-256 in `data-attachment`. Null: it is nested too deep, or too long.
 */
export function safeHtml(html: string, attachments: AttachmentIds): string | null {
  let level = 0
  const enter = () => {
    if (++level > elementLevelsMax) throw new TooDeep()
  }
  try {
    const safe = sanitizeHtml(html.slice(0, htmlMax), {
      ...options,
      transformTags: { a: linkOf, img: (_, given) => pictureOf(given, attachments) },
      onOpenTag: enter,
      onCloseTag: () => level--,
    })
    return safe.length > 2 * htmlMax ? null : safe
  } catch (error) {
    if (error instanceof TooDeep) return null
    throw error
  }
}

class TooDeep extends Error {}

/** Links that are relative would lead to Kontor itself. */
function linkOf(_: string, { href = '', title = '', style = '' }: sanitizeHtml.Attributes): Tag {
  const isAbsolute = /^(?:https?:\/\/|mailto:|tel:)/i.test(href)
  const attribs = { ...(isAbsolute && { href, target: '_blank', rel: 'noopener noreferrer nofollow' }), title, style }
  return { tagName: 'a', attribs }
}

function pictureOf(given: sanitizeHtml.Attributes, attachments: AttachmentIds): Tag {
  const { src = '', 'data-remote-src': _, 'data-attachment': __, ...attribs } = given
  return { tagName: 'img', attribs: { ...attribs, ...sourceOf(src.trim(), attachments) } }
}

function sourceOf(src: string, attachments: AttachmentIds): sanitizeHtml.Attributes {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i.test(src)) return { src }
  const address = src.startsWith('//') ? `https:${src}` : src
  if (/^https?:\/\//i.test(address)) return URL.canParse(address) ? { 'data-remote-src': new URL(address).href } : {}
  const [, id] = /^cid:(.{1,500})$/i.exec(src) ?? []
  const sha256 = id === undefined ? undefined : (attachments.get(id) ?? attachments.get(decoded(id)))
  return sha256 === undefined ? {} : { 'data-attachment': sha256 }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function each(names: string, pattern: RegExp): Record<string, RegExp[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, [pattern]]))
}
