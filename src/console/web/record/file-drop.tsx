import { X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { isForInput } from '../parts/key-presses.ts'
import { Tool } from '../parts/tool.tsx'
import { exactPercent } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { addFiles, type FileOwner, uploads } from './uploads.ts'

/** Takes files that are dropped or pasted anywhere on the page of a record, and shows those that are on their way. */
export function FileDrop({ field, id, title }: FileOwner & { title: string }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const take = (files: readonly File[]) => void addFiles(files, { field, id })
    const listening = new AbortController()
    const listen = <E extends keyof WindowEventMap>(type: E, run: (event: WindowEventMap[E]) => void) =>
      addEventListener(type, run, { signal: listening.signal })
    listen('dragover', (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault() // otherwise the browser leaves the page and shows the file
      setOver(!isModal())
    })
    listen('dragleave', (event) => event.relatedTarget === null && setOver(false))
    listen('drop', (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(false)
      if (!isModal()) take(filesIn(event.dataTransfer))
    })
    listen('paste', (event) => {
      const files = filesIn(event.clipboardData)
      if (files.length === 0 || isModal() || isTextFor(event)) return
      event.preventDefault()
      take(files)
    })
    return () => listening.abort()
  }, [field, id])
  const own = uploads.value.filter(({ owner }) => owner === id)
  return (
    <>
      {isOver && (
        <div class="file-drop" role="status">
          {t('Drop files to add them to {title}', { title })}
        </div>
      )}
      {own.length > 0 && (
        <ul class="uploads card list" aria-label={t('Uploads')}>
          {own.map(({ key, file, sent, error, retry, end }) => (
            <li key={key} class="wraps middle" tabIndex={-1}>
              <span class="grow">{file.name}</span>
              {error ? (
                <>
                  <span class="fault" role="alert">
                    {error.message}
                  </span>
                  {retry && (
                    <button type="button" class="button small" onClick={again(retry)}>
                      {t('Try again')}
                      <span class="unseen"> {file.name}</span>
                    </button>
                  )}
                </>
              ) : (
                <>
                  <progress max={file.size || 1} value={sent} aria-label={t('Upload of {name}', { name: file.name })} />
                  <span class="muted number">{exactPercent(Math.floor((100 * sent) / (file.size || 1)))}</span>
                </>
              )}
              <Tool icon={X} label={error ? t('Dismiss') : t('Cancel {name}', { name: file.name })} onClick={end} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The button disappears, so its row takes the focus. Its other button must not: pressed by mistake, it would cancel. */
function again(retry: () => void) {
  return ({ currentTarget }: { currentTarget: HTMLElement }) => {
    currentTarget.closest('li')!.focus()
    retry()
  }
}

function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => /^files$/i.test(type)) ?? false
}

/** Without directories, which browsers give as files that cannot be read. */
function filesIn(transfer: DataTransfer | null): File[] {
  return [...(transfer?.items ?? [])].flatMap((item) => {
    if (item.kind !== 'file' || item.webkitGetAsEntry()?.isDirectory) return []
    return item.getAsFile() ?? []
  })
}

/** Spreadsheet programs copy a picture of what they copy as text: where text can be entered, it is wanted as text. */
function isTextFor(event: ClipboardEvent): boolean {
  return isForInput(event) && (event.clipboardData?.types.includes('text/plain') ?? false)
}

function isModal(): boolean {
  return document.querySelector('dialog[open]') !== null
}
