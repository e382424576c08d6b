import { Download, Eye } from 'lucide'
import { useState } from 'preact/hooks'
import { download } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { saveFile } from '../data/save-file.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import { FilePreview } from './lazy-file-preview.ts'

const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'application/pdf']
const shownBytesMax = 50 * 2 ** 20

/** Whether the browser shows a file without running anything in it. */
function hasPreview({ media_type, bytes }: Row): boolean {
  return shownTypes.includes(media_type) && bytes <= shownBytesMax
}

/** Shows a file if the browser can, and saves it where the browser keeps downloads. */
export function FileButtons({ file }: { file: Row }) {
  const [isShown, setShown] = useState(false)
  const { busy, error, attempt } = useAttempt()
  const save = () => attempt(async () => saveFile(await download(`/api-v1-files/${file.id}/content`, '*/*'), file.name))
  const name = <span class="unseen"> {file.name}</span> // a record or a message has several files
  return (
    <span class="row">
      {hasPreview(file) && (
        <button type="button" class="button small" onClick={() => setShown(true)}>
          <Icon of={Eye} /> {t('Preview')}
          {name}
        </button>
      )}
      <button type="button" class="button small" aria-disabled={busy} onClick={save}>
        <Icon of={Download} /> {t('Download')}
        {name}
      </button>
      <ErrorNotice error={error} />
      {isShown && <FilePreview file={file} onClose={() => setShown(false)} />}
    </span>
  )
}
