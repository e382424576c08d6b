import { exactAmount, roundMoney } from '../text/format.ts'
import { t } from '../text/texts.ts'
import type { CurrencySum } from './pipeline-sums.ts'

interface SumsProps {
  /** By currency, the most important first. */
  of: readonly CurrencySum[]
  /** The address of the list of the deals, or of those in one currency. */
  hrefOf: (currency?: string) => string
}

/** A sum of money as a link to its deals. Those in other currencies unfold. */
export function Sums({ of, hrefOf }: SumsProps) {
  const [main, ...others] = of
  if (!main) return <span class="muted">–</span>
  const count = others.length
  return (
    <span class="sums">
      <Sum of={main} href={hrefOf(count > 0 ? main[0] : undefined)} />
      {count > 0 && (
        <details>
          <summary aria-label={count === 1 ? t('One more currency') : t('{count} more currencies', { count })}>
            +{count}
          </summary>
          <ul>
            {others.map((sum) => (
              <li key={sum[0]}>
                <Sum of={sum} href={hrefOf(sum[0])} />
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
