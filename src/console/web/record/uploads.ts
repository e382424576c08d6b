import { signal } from '@preact/signals'
import { ApiError } from '../../../errors.ts'
import { upload, withRequestId } from '../data/http.ts'
import { tell } from '../data/news.ts'
import { newOnce, type Once, placeOf } from '../data/once.ts'
import { isRefused } from '../data/refused.ts'
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
  error?: Error | undefined
  /** Uploads it again after it failed, if that can help. */
  retry?: (() => void) | undefined
  /** Cancels it, or forgets that it failed. */
  end(): void
}

/** Those of all pages: they go on while the user is elsewhere. */
export const uploads = signal<readonly Upload[]>([])
let count = 0

/** Uploads files, one after the other. One undo takes back all of them. */
export async function addFiles(files: readonly File[], owner: FileOwner, onAdded = () => {}): Promise<void> {
  await send(
    files.map((file) => begin(file, owner.id)),
    owner,
    onAdded,
  )
}

async function send(begun: readonly Begun[], owner: FileOwner, onAdded: () => void): Promise<void> {
  // That of a file alone stays the same, so that it can be undone, whichever attempt has stored it.
  const id = begun.length === 1 ? begun[0]!.once : newOnce()
  const adding = withRequestId(async ({ requestId }) => {
    const rows: Row[] = []
    for (const each of begun) {
      const { key, file, signal: cancelled } = each
      if (cancelled.aborted) continue
      try {
        const path = `/api-v1-files?${new URLSearchParams({ name: file.name, [owner.field]: owner.id })}`
        const onProgress = (sent: number) => change(key, { sent })
        const { once } = each
        rows.push(await upload<Row>(path, { content: file, signal: cancelled, onProgress, requestId, once }))
        end(key)
        onAdded()
      } catch (error) {
        if (cancelled.aborted) continue
        if (isRefused(error)) each.once = newOnce(placeOf(each.once)) // nothing was written: the next one is another request
        const retry = () => {
          change(key, { sent: 0, error: undefined, retry: undefined })
          void send([each], owner, onAdded)
        }
        if (!(await isReadable(file))) change(key, { error: unreadable() })
        else change(key, { error: error as Error, ...(mayHelp(error) && { retry }) })
      }
    }
    return rows
  }, id)
  const added = await unfinished(adding)
  if (added.length === 0) return
  notifyChange(added.length === 1 ? t('{name} added.', { name: added[0]!.name }) : countText(added.length), added)
  tell('unknown')
}

/** Whether the same file may be taken another time: not if it is empty or too large, or if its record was deleted. */
function mayHelp(error: unknown): boolean {
  return !(error instanceof ApiError) || ![400, 404, 413].includes(error.status)
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

/** An upload that is to be sent. */
interface Begun {
  key: number
  file: File
  signal: AbortSignal
  /** The same one for each attempt, so that a file whose response was lost is there once. */
  once: Once
}

function begin(file: File, owner: string): Begun {
  const cancelling = new AbortController()
  const key = ++count
  const cancel = () => {
    cancelling.abort()
    end(key)
  }
  uploads.value = [...uploads.value, { key, owner, file, sent: 0, end: cancel }]
  return { key, file, signal: cancelling.signal, once: newOnce() }
}

function change(key: number, values: Partial<Upload>): void {
  uploads.value = uploads.value.map((each) => (each.key === key ? { ...each, ...values } : each))
}

function end(key: number): void {
  uploads.value = uploads.value.filter((each) => each.key !== key)
}
