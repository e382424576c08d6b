import { Download, Eye } from 'lucide'
import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { download } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { saveFile } from '../data/save-file.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import { FilePreview, hasPreview } from './file-preview.tsx'
import { addFiles, type FileOwner } from './uploads.ts'

interface ChooseFilesProps extends FileOwner {
  /** The hidden control that opens the browser's dialog. */
  input: RefObject<HTMLInputElement | null>
  onAdded: () => void
}

/** Uploads files that are chosen for a record. */
export function ChooseFiles({ input, field, id, onAdded }: ChooseFilesProps) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label={t('Choose files')}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        currentTarget.value = ''
        void addFiles(files, { field, id }, onAdded)
      }}
    />
  )
}

/** Shows a file if the browser can, and saves it where the browser keeps downloads. */
export function FileButtons({ file }: { file: Row }) {
  const [isShown, setShown] = useState(false)
  const { busy, error, attempt } = useAttempt()
  const save = () => attempt(async () => saveFile(await download(`/api-v1-files/${file.id}/content`, '*/*'), file.name))
  return (
    <span class="file-buttons">
      {hasPreview(file) && (
        <button type="button" class="button small" onClick={() => setShown(true)}>
          <Icon of={Eye} /> {t('Preview')}
        </button>
      )}
      <button type="button" class="button small" aria-disabled={busy} onClick={save}>
        <Icon of={Download} /> {t('Download')}
      </button>
      <ErrorNotice error={error} />
      {isShown && <FilePreview file={file} onClose={() => setShown(false)} />}
    </span>
  )
}
