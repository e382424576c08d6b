import { useEffect, useState } from 'preact/hooks'
import { download } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { t } from '../text/texts.ts'

/** A picture or a PDF. Its type is one that `hasPreview` has found, whatever the content is, so the browser runs nothing in it. */
export function FilePreview({ file, onClose }: { file: Row; onClose: () => void }) {
  const loaded = useData(() => download(`/api-v1-files/${file.id}/content?inline=1`, '*/*'), [file.id])
  const [isBroken, setBroken] = useState(false)
  const url = useObjectUrl(loaded.data, file.media_type)
  return (
    <Dialog title={file.name} wide onClose={onClose}>
      <div class="file-preview">
        {!url ? (
          <LoadingOrError of={loaded} />
        ) : isBroken ? (
          <p class="muted">{t('The content of this file is no such picture.')}</p>
        ) : file.media_type === 'application/pdf' ? (
          <iframe src={url} title={file.name} />
        ) : (
          <img src={url} alt={file.name} onError={() => setBroken(true)} />
        )}
      </div>
    </Dialog>
  )
}

/** The address of content in this window, until it is not shown any more. */
function useObjectUrl(content: Blob | undefined, type: string): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!content) return
    const made = URL.createObjectURL(new Blob([content], { type }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content, type])
  return url
}
