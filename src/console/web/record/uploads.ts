import { signal } from '@preact/signals'
import { upload, withRequestId } from '../data/http.ts'
import { tell } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { unfinished } from '../data/unfinished.ts'
import { counted, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

/** The record to which files are added: the field that refers to it, and its id. */
export interface FileOwner {
  field: string
  id: string
}

/** A file that is being uploaded, waits for its turn, or could not be uploaded. */
interface Upload {
  key: number
  owner: string
  file: File
  sent: number
  /** Why it failed. */
  error?: Error
  /** Uploads it again after it failed, unless the browser cannot read it any more. */
  retry?(): void
  /** Cancels it, or forgets that it failed. */
  end(): void
}

/** Those of all pages: they go on while the user is elsewhere. */
export const uploads = signal<readonly Upload[]>([])
let count = 0

/** Uploads files, one after the other. One undo takes back all of them. */
export async function addFiles(files: readonly File[], owner: FileOwner, onAdded = () => {}): Promise<void> {
  const begun = files.map((file) => begin(file, owner.id))
  const adding = withRequestId(async ({ requestId }) => {
    const rows: Row[] = []
    for (const { key, file, signal: cancelled } of begun) {
      if (cancelled.aborted) continue
      try {
        const path = `/api-v1-files?${new URLSearchParams({ name: file.name, [owner.field]: owner.id })}`
        const onProgress = (sent: number) => change(key, { sent })
        rows.push(await upload<Row>(path, { content: file, signal: cancelled, onProgress, requestId }))
        end(key)
        onAdded()
      } catch (error) {
        if (cancelled.aborted) continue
        const retry = () => {
          end(key)
          void addFiles([file], owner, onAdded)
        }
        change(key, (await isReadable(file)) ? { error: error as Error, retry } : { error: unreadable() })
      }
    }
    return rows
  })
  const added = await unfinished(adding)
  if (added.length === 0) return
  notifyChange(added.length === 1 ? t('{name} added.', { name: added[0]!.name }) : countText(added.length), added)
  tell('unknown')
}

/** A browser does not read a file that has changed on the disk since it was chosen. */
function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

function unreadable(): Error {
  return new Error(t('The file was changed, moved or deleted. Choose it again.'))
}

function countText(n: number): string {
  return counted('{n} file added.|{n} files added.', n)
}

function begin(file: File, owner: string) {
  const cancelling = new AbortController()
  const key = ++count
  const cancel = () => {
    cancelling.abort()
    end(key)
  }
  uploads.value = [...uploads.value, { key, owner, file, sent: 0, end: cancel }]
  return { key, file, signal: cancelling.signal }
}

function change(key: number, values: Partial<Upload>): void {
  uploads.value = uploads.value.map((each) => (each.key === key ? { ...each, ...values } : each))
}

function end(key: number): void {
  uploads.value = uploads.value.filter((each) => each.key !== key)
}
