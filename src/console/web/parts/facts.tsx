import type { ComponentChildren } from 'preact'
import { keyOf } from '../declared.ts'
import { type Metadata, textOf } from '../metadata.ts'
import { declaredOf, fieldOf, resourceOf } from '../session.ts'
import { t } from '../texts.ts'
import { type Row, viewOf, withoutCurrency } from '../views.ts'
import { isAuthor, Value } from './value.tsx'

/** The record's fields, without those in the heading and the empty ones. */
export function Facts({ of, row }: { of: string; row: Row }) {
  const { form, name, badge } = viewOf(of)
  const { fields, relations } = resourceOf(of)
  const others = fields.filter(({ name, kind }) => !form.includes(name) && kind !== 'metadata' && name !== 'updated_at')
  const shown = withoutCurrency([...form.map((each) => fieldOf(of, each)), ...others])
    .filter((field) => !name.includes(field.name) && field.name !== badge)
    .filter((field) => row[field.name] !== null || isAuthor(field))
  const declared = declaredOf(of).filter((field) => hasValue(row.metadata, keyOf(field.name)))
  return (
    <section class="card" aria-label={t('Details')}>
      <dl class="facts body">
        {[...shown, ...declared].map((field) => (
          <Fact key={field.name} label={field.label}>
            <Value field={field} row={row} relation={relations[field.name]} />
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function hasValue(metadata: Metadata, key: string): boolean {
  return Object.hasOwn(metadata, key) && metadata[key] !== null && metadata[key] !== ''
}

/** The metadata that is not declared. */
export function MetadataFacts({ of, metadata }: { of: string; metadata: Metadata }) {
  const declared = declaredOf(of).map(({ name }) => keyOf(name))
  const entries = Object.entries(metadata).filter(([name]) => !declared.includes(name))
  if (entries.length === 0) return null
  return (
    <section class="card" aria-label={t('Metadata')}>
      <header>
        <h2>{t('Metadata')}</h2>
      </header>
      <dl class="facts body">
        {entries.map(([name, value]) => (
          <Fact key={name} label={name}>
            {textOf(value)}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
