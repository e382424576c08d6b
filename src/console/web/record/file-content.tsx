import { Download } from 'lucide'
import type { RefObject } from 'preact'
import { download, upload } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { saveFile } from '../data/save-file.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'

interface AddFilesProps {
  /** The hidden control that opens the browser's dialog. */
  input: RefObject<HTMLInputElement | null>
  /** The field that refers to the record, and its id. */
  field: string
  id: string
  onAdded: () => void
}

/** Uploads files that are chosen, one after the other, for a record. */
export function AddFiles({ input, field, id, onAdded }: AddFilesProps) {
  const { busy, error, attempt } = useAttempt()
  const add = (files: readonly File[]) =>
    attempt(async () => {
      for (const file of files) {
        await upload(`/api-v1-files?${new URLSearchParams({ name: file.name, [field]: id })}`, file)
        onAdded()
      }
    })
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('Choose files')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          void add(files)
        }}
      />
      {busy && (
        <p class="muted body" role="status">
          {t('Uploading…')}
        </p>
      )}
      <ErrorNotice error={error} />
    </>
  )
}

/** Saves the content of a file where the browser keeps downloads. */
export function DownloadButton({ file }: { file: Row }) {
  const { busy, error, attempt } = useAttempt()
  const save = () => attempt(async () => saveFile(await download(`/api-v1-files/${file.id}/content`, '*/*'), file.name))
  return (
    <>
      <button type="button" class="button small" aria-disabled={busy} onClick={save}>
        <Icon of={Download} /> {t('Download')}
      </button>
      <ErrorNotice error={error} />
    </>
  )
}
