import type { Remark } from '../../../files/table-rows.ts'
import { t } from '../text/texts.ts'
import type { Sheet } from './sheet.ts'

const shownMax = 5

/** The parts of a file that are no records. */
export function ImportRemarks({ remarks: { above, below, group } }: { remarks: Sheet['remarks'] }) {
  return (
    <>
      {above.length > 0 && (
        <p class="notice">{t('Lines above the header, not imported: {lines}', { lines: linesText(above) })}</p>
      )}
      {below.length > 0 && (
        <p class="notice">{t('Lines below the table, not imported: {lines}', { lines: linesText(below) })}</p>
      )}
      {group.length > 0 && (
        <p class="notice">{t('Groups of contacts, not imported: {lines}', { lines: linesText(group) })}</p>
      )}
    </>
  )
}

function linesText(remarks: readonly Remark[]): string {
  const shown = remarks.slice(0, shownMax).map(({ line, text }) => t('line {line} ({text})', { line, text }))
  return `${shown.join(', ')}${remarks.length > shown.length ? ', …' : ''}`
}
