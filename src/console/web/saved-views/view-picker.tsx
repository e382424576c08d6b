import { Bookmark, Pencil, RefreshCw, Save, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { ChangeList, ListState } from '../data/list-state.ts'
import { usePlace } from '../data/use-place.ts'
import { ask } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { t } from '../text/texts.ts'
import { forgetColumns, isRearranged } from './columns.ts'
import { EditViewDialog, SaveViewDialog } from './lazy-view-dialogs.ts'
import { hasViews, type Layout, placeOf, removeView, type SavedView, updateView, viewParameter } from './saved-views.ts'
import type { Views } from './use-views.ts'

interface PickerProps {
  of: string
  state: ListState
  views: Views
  /** The columns that a view keeps; default: none. */
  columns?: readonly string[] | undefined
  /** How the page shows the records. */
  layout: Layout
  onChange: ChangeList
}

/** Chooses, saves, changes and deletes views of a list. The address has the id of the chosen one. */
export function ViewPicker(props: PickerProps) {
  return hasViews(props.of) ? <Picker {...props} /> : null
}

function Picker({ of, state, views, columns, layout, onChange }: PickerProps) {
  const { route, path } = usePlace()
  const [open, setOpen] = useState<'save' | 'edit'>()
  const { chosen, id } = views
  const { [viewParameter]: _, ...added } = state.filters
  const isOwn = Object.keys(added).length > 0 || state.sort !== '' || (columns && isRearranged(of, columns, chosen))
  const show = (view: SavedView | undefined) => {
    const place = view && placeOf(view)
    if (view && place && new URL(place, location.href).pathname !== path) route(place)
    else onChange({ filters: view ? { [viewParameter]: view.id } : {}, sort: '' })
  }
  const take = async (saved: SavedView) => {
    setOpen(undefined)
    if (chosen) forgetColumns(of, chosen)
    await views.refresh()
    show(saved)
  }
  /** What the address adds to the view stays. */
  const takeEdited = async (saved: SavedView) => {
    setOpen(undefined)
    await views.refresh()
    if (saved.id !== id || saved.layout !== chosen?.layout) show(saved)
  }
  const update = (view: SavedView) =>
    updateView({ of, state, chosen: view, columns }).then(take, ({ message }) =>
      notify(t('View not saved: {message}', { message })),
    )
  const close = () => setOpen(undefined)
  return (
    <>
      {(id !== '' || (views.data && views.data.length > 0)) && (
        <select
          class="input"
          aria-label={t('View')}
          value={id}
          onChange={({ currentTarget: { value } }) => show(views.data?.find((each) => each.id === value))}
        >
          <option value="">{t('All')}</option>
          {id !== '' && !chosen && <option value={id}>{views.loading ? '…' : t('Unknown view')}</option>}
          <Options label={t('My views')} views={views.data} visibility="personal" />
          <Options label={t('Shared views')} views={views.data} visibility="shared" />
        </select>
      )}
      {views.error && <Failure error={views.error} onRetry={views.reload} />}
      {chosen && (
        <>
          <button
            type="button"
            class="button square"
            aria-label={t('Edit the view {name}', { name: chosen.name })}
            onClick={() => setOpen('edit')}
          >
            <Icon of={Pencil} />
          </button>
          <DeleteButton view={chosen} onDeleted={() => views.refresh().then(() => show(undefined))} />
        </>
      )}
      {isOwn && chosen && (
        <button type="button" class="button" onClick={() => update(chosen)}>
          <Icon of={Save} /> {t('Update view')}
        </button>
      )}
      {isOwn && (
        <button type="button" class="button" onClick={() => setOpen('save')}>
          <Icon of={Bookmark} /> {t('Save view')}
        </button>
      )}
      {open === 'save' && <SaveViewDialog {...{ of, state, chosen, columns, layout }} onSaved={take} onClose={close} />}
      {open === 'edit' && chosen && <EditViewDialog view={chosen} onSaved={takeEdited} onClose={close} />}
    </>
  )
}

interface OptionsProps {
  label: string
  views: SavedView[] | undefined
  visibility: string
}

function Options({ label, views = [], visibility }: OptionsProps) {
  const shown = views.filter((view) => view.visibility === visibility)
  if (shown.length === 0) return null
  return (
    <optgroup label={label}>
      {shown.map(({ id, name, broken }) => (
        <option key={id} value={id}>
          {broken ? t('{name} (no longer valid)', { name }) : name}
        </option>
      ))}
    </optgroup>
  )
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <span class="row" role="alert">
      <span class="fault small">{t('Views are not loaded: {message}', { message: error.message })}</span>
      <button type="button" class="button" onClick={onRetry}>
        <Icon of={RefreshCw} /> {t('Try again')}
      </button>
    </span>
  )
}

function DeleteButton({ view, onDeleted }: { view: SavedView; onDeleted: () => Promise<void> }) {
  const { name, visibility } = view
  const body =
    visibility === 'personal' ? t('It cannot be restored.') : t('Everyone loses it. The trash can restore it.')
  const run = () => removeView(view).then(onDeleted)
  return (
    <button
      type="button"
      class="button square"
      aria-label={t('Delete the view {name}', { name })}
      onClick={() => ask({ title: t('Delete the view “{name}”?', { name }), body, verb: t('Delete'), run })}
    >
      <Icon of={Trash2} />
    </button>
  )
}
