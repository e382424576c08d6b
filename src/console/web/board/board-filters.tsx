import type { ChangeList, ListState } from '../data/list-state.ts'
import type { Row } from '../data/resource-views.ts'
import { listHref } from '../deals/deal-links.ts'
import { pipelineField } from '../deals/pipelines.ts'
import { OwnerFilter } from '../lists/owner-filter.tsx'
import { Toolbar } from '../lists/toolbar.tsx'
import type { Views } from '../saved-views/use-views.ts'
import { session } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { kinds, shownIn } from './board-query.ts'

interface BoardFiltersProps {
  state: ListState
  views: Views
  /** Undefined while they are loading. */
  stages: readonly Row[] | undefined
  onChange: ChangeList
}

/** Search and filters above the board. A phone has one button for all filters. */
export function BoardFilters({ state, views, stages, onChange }: BoardFiltersProps) {
  const { user } = session.value!
  const { assigned_to = '', ...others } = state.filters
  const isMine = assigned_to === user.id
  const showOwner = (id: string) => onChange({ filters: id === '' ? others : { ...others, assigned_to: id } })
  return (
    <Toolbar of="deal" layout="board" own={['assigned_to', pipelineField]} {...{ state, views, onChange }}>
      <div class={state.show === '' ? 'board-filters' : 'board-filters kept'}>
        <button type="button" class="button" aria-pressed={isMine} onClick={() => showOwner(isMine ? '' : user.id)}>
          {t('My deals')}
        </button>
        <OwnerFilter of="deal" owner={assigned_to} onOwner={showOwner} />
        <select
          class="input"
          aria-label={t('Stages')}
          value={kinds.includes(state.show) ? state.show : ''}
          onChange={({ currentTarget: { value } }) => onChange({ show: value })}
        >
          <option value="">{t('All stages')}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {word(kind)}
            </option>
          ))}
        </select>
      </div>
      {stages && <a href={listHref('deal', shownIn(state, stages))}>{t('Show as list')}</a>}
    </Toolbar>
  )
}
