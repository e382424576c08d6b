import { Download } from 'lucide'
import { reasonColumn } from '../../../files/match.ts'
import { saveFile } from '../data/save-file.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import type { Results } from './import-jobs.ts'
import { type Sheet, writeCsv } from './sheet.ts'

/** Saves the rows that failed, with the reasons, so that they can be corrected and imported. */
export function DownloadFailed({ sheet, results }: { sheet: Sheet; results: Results }) {
  const download = () => {
    const rows = [...results]
      .filter(([, { outcome }]) => outcome === 'failed')
      .sort(([a], [b]) => a - b)
      .map(([at, { errors }]) => [...sheet.rows[at]!, errors.join('; ')])
    const file = new Blob([`\uFEFF${writeCsv([...sheet.columns, reasonColumn], rows)}`], { type: 'text/csv' })
    saveFile(file, `${sheet.name.replace(/\.\w+$/, '')}-failed.csv`)
  }
  return (
    <button type="button" class="button" onClick={download}>
      <Icon of={Download} /> {t('Failed rows')}
    </button>
  )
}
