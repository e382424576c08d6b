import type { DescribedField } from '../../description.ts'
import { fits, linkOf } from '../data/declared.ts'
import { textOf } from '../data/metadata.ts'
import { useNames } from '../data/record-names.ts'
import { day, exactNumber, moment } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** The value of a declared field as text or link. A value of another type is shown as it is stored. */
export function DeclaredValue({ field, value }: { field: DescribedField; value: unknown }) {
  if (value === null || value === undefined || value === '') return <span class="muted">–</span>
  if (!fits(field, value)) return <>{textOf(value)}</>
  if (Array.isArray(value)) return <Chosen values={value} />
  if (field.kind === 'user') return <UserName id={String(value)} />
  if (typeof value === 'boolean') return <>{value ? t('Yes') : t('No')}</>
  if (typeof value === 'number') return <span class="number">{exactNumber(value)}</span>
  const text = String(value)
  if (field.kind === 'date') return <time dateTime={text}>{day(text)}</time>
  if (field.kind === 'timestamp') return <time dateTime={text}>{moment(text)}</time>
  if (field.kind === 'choice' && field.options!.includes(text)) return <span class="badge">{text}</span>
  const link = linkOf(field, text)
  if (!link) return <>{text}</>
  const elsewhere = field.kind === 'url' && { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a href={link} {...elsewhere}>
      {text}
    </a>
  )
}

function Chosen({ values }: { values: readonly string[] }) {
  if (values.length === 0) return <span class="muted">–</span>
  return (
    <span class="picks">
      {values.map((value) => (
        <span key={value} class="badge">
          {value}
        </span>
      ))}
    </span>
  )
}

function UserName({ id }: { id: string }) {
  return <>{useNames('user', id) ?? '…'}</>
}
