import { BookmarkX } from 'lucide'
import type { ChangeList } from '../data/list-state.ts'
import { Empty } from '../parts/empty.tsx'
import { focusHeading } from '../parts/focus.ts'
import { t } from '../text/texts.ts'

/** Replaces a list whose address names a view that this user cannot use. */
export function UnknownView({ onChange }: { onChange: ChangeList }) {
  const showAll = () => {
    focusHeading()
    onChange({ filters: {}, sort: '' })
  }
  const button = (
    <button type="button" class="button" onClick={showAll}>
      {t('Show the list without it')}
    </button>
  )
  return (
    <div class="card">
      <Empty icon={BookmarkX} title={t('You cannot use this view')} actions={button}>
        {t('It was deleted, or it is a personal view of somebody else, who can share it with everyone.')}
      </Empty>
    </div>
  )
}
