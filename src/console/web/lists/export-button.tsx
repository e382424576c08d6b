import { Download } from 'lucide'
import { useState } from 'preact/hooks'
import { type ExportFormat, saveList } from '../data/export-records.ts'
import type { ListState } from '../data/list-state.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { resourceOf } from '../session/session.ts'
import { about, t } from '../text/texts.ts'

interface ExportProps {
  of: string
  state: ListState
  /** The columns that the list shows. */
  columns: readonly string[]
}

/** Exports the records of a list to a file. */
export function ExportButton(props: ExportProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        <Icon of={Download} /> {t('Export')}
      </button>
      {open && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const labels: Readonly<Record<ExportFormat, string>> = {
  shown: t('CSV with the columns of this list'),
  all: t('CSV with all columns, which can be imported again'),
  cards: t('vCards, for address books'),
}

function ExportDialog({ of, state, columns, onClose }: ExportProps & { onClose: () => void }) {
  const { plural, isCard } = resourceOf(of)
  const [format, setFormat] = useState<ExportFormat>('shown')
  const { busy, error, attempt } = useAttempt()
  const formats: ExportFormat[] = isCard ? ['shown', 'all', 'cards'] : ['shown', 'all']
  const save = async () => {
    await saveList(of, state, columns, format)
    onClose()
  }
  return (
    <Dialog title={about('Export {noun}', plural)} small onClose={onClose}>
      <p>{t('The file has everything that the search and the filters find, on all pages.')}</p>
      <fieldset class="stack tight">
        <legend class="unseen">{t('Format')}</legend>
        {formats.map((each) => (
          <label key={each} class="check">
            <input type="radio" name="format" checked={format === each} onChange={() => setFormat(each)} />
            {labels[each]}
          </label>
        ))}
      </fieldset>
      <ErrorNotice error={error} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button
          type="button"
          class="button primary"
          disabled={busy}
          aria-busy={busy}
          onClick={() => void attempt(save)}
        >
          {busy ? t('Exporting…') : t('Export')}
        </button>
      </div>
    </Dialog>
  )
}
