import { Download } from 'lucide'
import { reasonColumn } from '../../../files/match.ts'
import { type Sheet, writeCsv } from '../csv.ts'
import type { Results } from '../import-run.ts'
import { saveFile } from '../save-file.ts'
import { t } from '../texts.ts'
import { Icon } from './icon.tsx'

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
