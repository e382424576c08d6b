import { Columns3 } from 'lucide'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import { availableColumns, chooseColumns } from './columns.ts'
import type { SavedView } from './saved-views.ts'

interface ColumnPickerProps {
  of: string
  view: SavedView | undefined
  /** The columns that the list shows. */
  columns: readonly string[]
}

/** Chooses the columns of a list. */
export function ColumnPicker(props: ColumnPickerProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        <Icon of={Columns3} /> {t('Columns')}
      </button>
      {open && <Choices {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function Choices({ of, view, columns, onClose }: ColumnPickerProps & { onClose: () => void }) {
  const [, ...others] = availableColumns(of)
  const toggle = (name: string, isShown: boolean) =>
    chooseColumns(of, isShown ? [...columns, name] : columns.filter((each) => each !== name), view)
  return (
    <Dialog title={t('Columns')} small onClose={onClose}>
      <fieldset class="stack tight">
        <legend>{t('Shown next to the name')}</legend>
        {others.map(({ name, label }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={columns.includes(name)}
              onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          {t('Done')}
        </button>
      </div>
    </Dialog>
  )
}
