import { t } from '../text/texts.ts'

/** The rough shape of the content: lines of text, rows of a table, cards of a column, columns of a board, a chart. */
export type Shape = 'lines' | 'rows' | 'cards' | 'columns' | 'chart'

const bones: Record<Shape, number> = { lines: 5, rows: 8, cards: 3, columns: 5, chart: 1 }

/** A placeholder while content is loading. */
export function Skeleton({ shape = 'lines' }: { shape?: Shape | undefined }) {
  return (
    <div class={`skeleton ${shape}`} aria-busy="true">
      <span class="unseen" role="status">
        {t('Loading…')}
      </span>
      {Array.from({ length: bones[shape] }, (_, at) => (
        <div key={at} class="bone" />
      ))}
    </div>
  )
}
