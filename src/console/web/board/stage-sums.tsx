import type { Row } from '../data/resource-views.ts'
import { type ListFilters, listHref } from '../deals/deal-links.ts'
import { type CurrencySum, convertedText, type StageTotal, sumText } from '../deals/pipeline-sums.ts'
import { Menu } from '../parts/menu.tsx'
import { money, roundMoney } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'

interface StageSumsProps {
  stage: Row
  /** Absent: it has no deals. */
  total: StageTotal | undefined
  /** The filters of the list of these deals. */
  filters: ListFilters
}

/** The number of deals in a stage and their sums in the main currency. A button shows the sums in all currencies. */
export function StageSums({ stage, total, filters }: StageSumsProps) {
  return (
    <>
      <div class="sum muted small number">
        <span title={total && sumText(total.values)}>
          {counted('{n} deal|{n} deals', total?.deals ?? 0)}
          {total && ` · ${total.converted ? convertedText(total.converted.values) : mainText(total.values)}`}
        </span>
        {total && total.values.length > 1 && <AllSums {...{ stage, total, filters }} />}
      </div>
      <div class="sum muted small number">
        {total && stage.kind === 'open' && (
          <span title={sumText(total.weighted)}>
            {t('{amount} weighted', {
              amount: total.converted ? convertedText(total.converted.weighted) : mainText(total.weighted),
            })}
          </span>
        )}
      </div>
    </>
  )
}

/** `+4`, which opens the sums, each with a link to its deals. */
function AllSums({ stage, total, filters }: Required<StageSumsProps> & { total: StageTotal }) {
  const weighted = new Map(total.weighted)
  return (
    <Menu
      label={t('{name}: sums in all currencies', { name: stage.name })}
      title={sumText(total.values)}
      text={`+${total.values.length - 1}`}
      looks="more-sums"
    >
      {() =>
        total.values.map(([currency, value]) => (
          <a key={currency} class="number" href={listHref('deal', { ...filters, currency })}>
            {money(value, currency)}
            {stage.kind === 'open' && (
              <span class="muted small">
                {t('{amount} weighted', { amount: money(weighted.get(currency)!, currency) })}
              </span>
            )}
          </a>
        ))
      }
    </Menu>
  )
}

/** The sum in the main currency, without its smallest digits. */
function mainText(sums: readonly CurrencySum[]): string {
  const [currency, value] = sums[0]!
  return roundMoney(value, currency)
}
