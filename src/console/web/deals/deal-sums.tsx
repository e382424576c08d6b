import { exactAmount, roundMoney } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { type ListFilters, listHref } from './deal-links.ts'
import { type Converted, type CurrencySum, convertedText, sumText } from './pipeline-sums.ts'

interface SumsProps {
  /** By currency, the most important first. */
  of: readonly CurrencySum[]
  /** Of the list of the deals. */
  filters: ListFilters
  /** All of it in the currency of the company, if the exchange rates say so. */
  converted?: Converted | undefined
}

/** A sum of money as a link to its deals. Those in other currencies unfold; if it is converted, those in all currencies. */
export function Sums({ of, filters, converted }: SumsProps) {
  const [main, ...others] = of
  if (!main) return <span class="muted">–</span>
  const unfolded = converted ? of : others
  const count = others.length
  const hrefIn = (currency: string) => listHref('deal', { ...filters, currency })
  const more = count === 1 ? t('One more currency') : t('{count} more currencies', { count })
  return (
    <span class="sums">
      {converted ? (
        <a class="number" href={listHref('deal', filters)} title={sumText(of)}>
          {convertedText(converted)}
        </a>
      ) : (
        <Sum of={main} href={count > 0 ? hrefIn(main[0]) : listHref('deal', filters)} />
      )}
      {unfolded.length > 0 && (
        <details>
          <summary aria-label={converted ? t('Sums in all currencies') : more}>{converted ? '…' : `+${count}`}</summary>
          <ul>
            {unfolded.map((sum) => (
              <li key={sum[0]}>
                <Sum of={sum} href={hrefIn(sum[0])} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </span>
  )
}

function Sum({ of: [currency, value], href }: { of: CurrencySum; href: string }) {
  return (
    <a class="number" href={href} title={exactAmount(value, currency)}>
      {roundMoney(value, currency)}
    </a>
  )
}
