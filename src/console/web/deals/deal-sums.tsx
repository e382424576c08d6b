import { exactAmount, roundMoney } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { type ListFilters, listHref } from './deal-links.ts'
import type { CurrencySum } from './pipeline-sums.ts'

interface SumsProps {
  /** By currency, the most important first. */
  of: readonly CurrencySum[]
  /** Of the list of the deals. */
  filters: ListFilters
}

/** A sum of money as a link to its deals. Those in other currencies unfold. */
export function Sums({ of, filters }: SumsProps) {
  const [main, ...others] = of
  if (!main) return <span class="muted">–</span>
  const count = others.length
  const hrefIn = (currency: string) => listHref('deal', { ...filters, currency })
  return (
    <span class="sums">
      <Sum of={main} href={count > 0 ? hrefIn(main[0]) : listHref('deal', filters)} />
      {count > 0 && (
        <details>
          <summary aria-label={count === 1 ? t('One more currency') : t('{count} more currencies', { count })}>
            +{count}
          </summary>
          <ul>
            {others.map((sum) => (
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
