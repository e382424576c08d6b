import { resourceOf } from '../session/session.ts'
import { noun, t } from '../text/texts.ts'
import { RestoreButton } from '../trash/restore-button.tsx'

interface GoneNoticeProps {
  of: string
  id: string
  title: string
  onRestored: () => void
}

/** Says that a record was deleted while its page was open: the page stays, with what is typed in its dialogs. */
export function GoneNotice({ of, id, title, onRestored }: GoneNoticeProps) {
  return (
    <div class="notice warn" role="alert">
      <span class="grow">{t('This {label} has been deleted.', { label: noun(resourceOf(of).label) })}</span>
      <RestoreButton {...{ id, title, onRestored }} />
    </div>
  )
}
