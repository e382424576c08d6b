import { Download } from 'lucide'
import { failedRows } from '../../../files/failed-rows.ts'
import { saveFile } from '../data/save-file.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import type { Results } from './import-jobs.ts'
import { type Sheet, writeCsv } from './sheet.ts'

/** Saves the rows that failed, with the reasons, so that they can be corrected and imported. */
export function DownloadFailed({ sheet, results }: { sheet: Sheet; results: Results }) {
  const download = () => {
    const failed = failedRows(sheet.columns)
    const rows = [...results]
      .filter(([, { outcome }]) => outcome === 'failed')
      .sort(([a], [b]) => a - b)
      .map(([at, { errors }]) => failed.row(sheet.rows[at]!, errors))
    const file = new Blob([`\uFEFF${writeCsv(failed.header, rows)}`], { type: 'text/csv' })
    saveFile(file, `${sheet.name.replace(/\.\w+$/, '')}-failed.csv`)
  }
  return (
    <button type="button" class="button" onClick={download}>
      <Icon of={Download} /> {t('Failed rows')}
    </button>
  )
}
