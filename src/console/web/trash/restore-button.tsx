import { ArchiveRestore } from 'lucide'
import { useState } from 'preact/hooks'
import { post } from '../data/http.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface RestoreButtonProps {
  id: string
  title: string
  onRestored: () => void
}

/** Restores a deleted record. Below it: what is in the way, if anything. */
export function RestoreButton({ id, title, onRestored }: RestoreButtonProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const restore = async () => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      notifyChange(t('{title} restored.', { title }), await post(`/api-v1-trash/${id}/restore`))
      onRestored()
    } catch (reason) {
      setError(reason as Error)
    }
    setBusy(false)
  }
  return (
    <div class="stack tight restore">
      <button
        type="button"
        class="button small"
        aria-disabled={busy}
        aria-label={t('Restore {title}', { title })}
        onClick={() => void restore()}
      >
        <Icon of={ArchiveRestore} /> {t('Restore')}
      </button>
      <ErrorNotice error={error} />
    </div>
  )
}
