import type { ComponentChildren } from 'preact'
import { t } from '../text/texts.ts'

interface DetailCardProps {
  /** Labels with their values. One without a value is left out. */
  of: readonly (readonly [label: string, value: ComponentChildren])[]
  children?: ComponentChildren
}

/** The details of something that is not a record. */
export function DetailCard({ of, children }: DetailCardProps) {
  return (
    <section class="card" aria-label={t('Details')}>
      <dl class="facts body">
        {of.map(([label, value]) =>
          value ? (
            <>
              <dt key={label}>{label}</dt>
              <dd>{value}</dd>
            </>
          ) : null,
        )}
      </dl>
      {children}
    </section>
  )
}
