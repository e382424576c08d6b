import { ArchiveRestore } from 'lucide'
import { post } from '../data/http.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { single } from '../parts/single-click.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface RestoreButtonProps {
  id: string
  title: string
  onRestored: () => void
}

/** Restores a deleted record. Below it: what is in the way, if anything. */
export function RestoreButton({ id, title, onRestored }: RestoreButtonProps) {
  const { busy, error, attempt } = useAttempt()
  const restore = async () => {
    notifyChange(t('{title} restored.', { title }), await post(`/api-v1-trash/${id}/restore`))
    onRestored()
  }
  return (
    <div class="stack tight restore">
      <button
        type="button"
        class="button small"
        aria-disabled={busy}
        aria-label={t('Restore {title}', { title })}
        onClick={single(() => void attempt(restore))}
      >
        <Icon of={ArchiveRestore} /> {t('Restore')}
      </button>
      <ErrorNotice error={error} />
    </div>
  )
}
