import type { Contents } from '../../content/contents.ts'
import { readWhole } from '../../content/read-whole.ts'
import { message } from '../../crm/message.ts'
import { idOf, notFound } from '../../engine/records/select.ts'
import { log } from '../../lib/log.ts'
import type { Reader } from '../../store/reader.ts'
import { indexed } from '../../store/visibility.ts'

interface Shelf {
  readonly reader: Reader
  /** Undefined: the server stores none, and attached pictures are not shown. */
  readonly contents: Contents | undefined
  readonly workspaceId: number
}

/** The pictures that a browser shows without running anything in them. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** The sum of the attached pictures that are read. Others are only among the attachments. */
const picturesBytesMax = 4 * 2 ** 20
/** The sum of the pictures in a document, which may show one many times, as characters. */
const shownLengthMax = 2 * picturesBytesMax

// Mails are made for a white page.
const style = `:root{color-scheme:light;background:#fff;color:#1c1b18;font:15px/1.5 system-ui,sans-serif}
body{margin:12px;overflow-wrap:anywhere}img{max-width:100%;height:auto}img:not([src]){display:none}`

/**
 * The sanitized HTML of a message as a document, with the pictures that are attached, and on request with the addresses of remote ones.
 * Throws NOT_FOUND without HTML, and if the reader may not see the message.
 */
export async function framedMessage(shelf: Shelf, given: string, showsRemote: boolean): Promise<string> {
  const id = idOf(message, given)
  const sql = `SELECT html FROM message WHERE workspace_id = :workspace AND deleted_at IS NULL AND id = ?`
  const html = shelf.reader.value<string | null>(sql, id) ?? null
  if (html === null) throw notFound(message)
  const attached = html.includes(' data-attachment="') ? await readPictures(shelf, id) : new Map<string, string>()
  let room = shownLengthMax
  const sourceOf = (address = '') => {
    if (address.length > room || address === '') return ''
    room -= address.length
    return ` src="${address}"`
  }
  // The file of a company may have HTML that was not sanitized: what ends nowhere is read once, up to the next tag.
  const shown = html.replace(/<img [^<>]*>/g, (tag) => {
    const remote = showsRemote ? tag.replace(' data-remote-src="', ' src="') : tag
    return remote.replace(/ data-attachment="(\w*)"/, (_, sha256) => sourceOf(attached.get(sha256)))
  })
  return `<!doctype html><html><head><meta charset="utf-8"><title>Message</title><style>${style}</style></head><body>${shown}</body></html>`
}

interface Picture {
  sha256: string
  media_type: string
  bytes: number
}

/** The pictures that are attached to a message, as addresses that contain them, by their SHA-256. */
async function readPictures({ reader, contents, workspaceId }: Shelf, id: string): Promise<Map<string, string>> {
  const sql = `SELECT sha256, media_type, bytes FROM ${indexed('file', 'file_message_id')}
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND message_id = ? ORDER BY id`
  const addresses = new Map<string, string>()
  let room = picturesBytesMax
  for (const { sha256, media_type, bytes } of reader.rows<Picture>(sql, id)) {
    if (!contents || !pictures.includes(media_type) || bytes > room || addresses.has(sha256)) continue
    room -= bytes
    try {
      const parts: Buffer[] = []
      for await (const part of readWhole(contents, { workspaceId, sha256 }, bytes)) parts.push(part)
      addresses.set(sha256, `data:${media_type};base64,${Buffer.concat(parts).toString('base64')}`)
    } catch (error) {
      log('a picture of a message cannot be shown', { reason: (error as Error).message }, 'warn')
    }
  }
  return addresses
}
