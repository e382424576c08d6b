import { inStages, ownedBy, within } from '../deals/deal-links.ts'
import { Sums } from '../deals/deal-sums.tsx'
import { Tiles } from '../parts/tiles.tsx'
import { counted, t } from '../text/texts.ts'
import { closedOf, Days, Rate } from './report-cells.tsx'
import type { ReportData } from './report-data.ts'

/** What was won and lost in the whole span. */
export function ReportNumbers({ data }: { data: ReportData }) {
  const { stages, span, owner, closedByPart, days } = data
  const filters = { ...within('closed_at', span), ...ownedBy(owner) }
  const closed = closedOf(data, closedByPart, filters)
  const { won, lost } = closed
  const wonFilters = { ...filters, ...inStages(stages.won) }
  return (
    <Tiles
      label={t('Numbers')}
      tiles={[
        {
          label: t('Won'),
          children: <Sums of={won.sums} filters={wonFilters} />,
          note: counted('{n} deal won|{n} deals won', won.deals),
        },
        {
          label: t('Lost'),
          children: <Sums of={lost.sums} filters={{ ...filters, ...inStages(stages.lost) }} />,
          note: counted('{n} deal lost|{n} deals lost', lost.deals),
        },
        {
          label: t('Win rate'),
          children: <Rate of={closed} filters={{ ...filters, ...inStages([...stages.won, ...stages.lost]) }} />,
          note: t('Won deals among those closed'),
        },
        {
          label: t('Time to win'),
          children: <Days of={days} filters={{ ...wonFilters, sort: 'created_at' }} />,
          note: t('Median, from creation to won'),
        },
      ]}
    />
  )
}
