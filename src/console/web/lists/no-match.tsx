import { SearchX } from 'lucide'
import type { ChangeList, ListState } from '../data/list-state.ts'
import type { Loaded } from '../data/use-data.ts'
import { Empty } from '../parts/empty.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { focusHeading } from '../parts/focus.ts'
import { t } from '../text/texts.ts'

/** An empty state for a list in which nothing matches. */
export function NoMatch({ onChange }: { onChange: ChangeList }) {
  const clear = <ClearButton verb={t('Clear search and filters')} onChange={onChange} />
  return (
    <Empty icon={SearchX} title={t('Nothing matches')} actions={clear}>
      {t('Try fewer letters, or remove a filter.')}
    </Empty>
  )
}

interface ListPlaceholderProps {
  of: Loaded<unknown>
  state: ListState
  onChange: ChangeList
}

/** Replaces a list that is not loaded. Its address may contain invalid filters. */
export function ListPlaceholder({ of, state, onChange }: ListPlaceholderProps) {
  const isNarrowed = state.sort !== '' || Object.keys(state.filters).length > 0
  return (
    <div class="card">
      <LoadingBody of={of} shape="rows">
        {isNarrowed && <ClearButton verb={t('Clear filters and order')} onChange={onChange} />}
      </LoadingBody>
    </div>
  )
}

function ClearButton({ verb, onChange }: { verb: string; onChange: ChangeList }) {
  const clear = () => {
    focusHeading()
    onChange({ q: '', filters: {}, sort: '' })
  }
  return (
    <button type="button" class="button" onClick={clear}>
      {verb}
    </button>
  )
}
