import { kinds } from '../board-query.ts'
import { word } from '../format.ts'
import type { ChangeList, ListState } from '../list-state.ts'
import { cacheName } from '../names.ts'
import { href } from '../place.ts'
import { resourceOf, session } from '../session.ts'
import { t } from '../texts.ts'
import type { Views } from '../use-views.ts'
import { Toolbar } from './toolbar.tsx'

interface BoardFiltersProps {
  state: ListState
  views: Views
  onChange: ChangeList
}

/** Search and filters above the board. */
export function BoardFilters({ state, views, onChange }: BoardFiltersProps) {
  const { user } = session.value!
  const { assigned_to, ...others } = state.filters
  const isMine = assigned_to === user.id
  const toggleMine = () => {
    cacheName('user', user.id, user.full_name)
    onChange({ filters: isMine ? others : { ...others, assigned_to: user.id } })
  }
  const listQuery = new URLSearchParams({ ...state.filters, ...(state.q !== '' && { q: state.q }) }).toString()
  return (
    <Toolbar of="deal" layout="board" {...{ state, views, onChange }}>
      <button type="button" class="button" aria-pressed={isMine} onClick={toggleMine}>
        {t('My deals')}
      </button>
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
      <a href={href(`${resourceOf('deal').page}${listQuery === '' ? '' : `?${listQuery}`}`)}>{t('Show as list')}</a>
    </Toolbar>
  )
}
