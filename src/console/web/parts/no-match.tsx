import { SearchX } from 'lucide'
import { focusHeading } from '../focus.ts'
import type { ChangeList, ListState } from '../list-state.ts'
import type { Loaded } from '../use-data.ts'
import { Empty } from './empty.tsx'
import { Unloaded } from './fault.tsx'

/** In place of a list in which nothing matches. */
export function NoMatch({ onChange }: { onChange: ChangeList }) {
  const clear = <ClearButton verb="Clear search and filters" onChange={onChange} />
  return (
    <Empty icon={SearchX} title="Nothing matches" actions={clear}>
      Try fewer letters, or take a filter away.
    </Empty>
  )
}

interface NotListedProps {
  of: Loaded<unknown>
  state: ListState
  onChange: ChangeList
}

/** In place of a list that is not loaded. Its address may ask for what does not exist. */
export function NotListed({ of, state, onChange }: NotListedProps) {
  const isNarrowed = state.sort !== '' || Object.keys(state.filters).length > 0
  return (
    <div class="card">
      <div class="body">
        <Unloaded of={of} shape="rows">
          {isNarrowed && <ClearButton verb="Clear filters and order" onChange={onChange} />}
        </Unloaded>
      </div>
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
