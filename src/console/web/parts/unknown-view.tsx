import { BookmarkX } from 'lucide'
import { focusHeading } from '../focus.ts'
import type { ChangeList } from '../list-state.ts'
import { t } from '../texts.ts'
import { Empty } from './empty.tsx'

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
