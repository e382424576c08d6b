import { Fragment } from 'preact'
import type { DescribedField } from '../../description.ts'
import { declaredIn } from '../data/declared.ts'
import { isLate } from '../data/late.ts'
import { useNames } from '../data/record-names.ts'
import { isListed, isTelling, type Row, titleOf } from '../data/resource-views.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { momentOf } from '../text/days.ts'
import { amount, day, exactPercent, moment, number, sinceOrUntil, word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { Author } from './author.tsx'
import { DeclaredValue } from './declared-value.tsx'
import { LinkedText } from './linked-text.tsx'

const tones: Record<string, string> = {
  active: 'good',
  completed: 'good',
  lead: 'info',
  in_progress: 'info',
  high: 'warn',
  urgent: 'bad',
  lost: 'bad',
}

export function Badge({ value }: { value: string }) {
  return <span class={`badge ${tones[value] ?? ''}`}>{word(value)}</span>
}

/** A field of a record as text, badge or link. */
export function Value({ field, row, relation }: { field: DescribedField; row: Row; relation: string | undefined }) {
  if (field.declared) return <DeclaredValue field={field} value={declaredIn(row.metadata, field.name)} />
  const value = row[field.name]
  if (field.kind === 'flag') return <>{value ? t('Yes') : t('No')}</>
  if (isAuthor(field)) return <Author of={row} />
  if (value === null || value === undefined) return <span class="muted">–</span>
  if (!isTelling(field)) return <>{[value].flat().join(', ') || '–'}</>
  if (field.kind === 'reference' && !relation) return <Named target={field.target!} id={value} />
  if (field.kind === 'reference') return <Related to={row[relation!]} target={field.target!} />
  if (field.kind === 'choice') return <Badge value={value} />
  if (field.kind === 'mailbox') return <Mailbox of={value} />
  if (field.kind === 'mailboxes') return <Mailboxes of={value} />
  if (field.kind === 'choices') return <>{value.map(word).join(', ')}</>
  if (field.kind === 'date' || field.kind === 'timestamp' || field.kind === 'moment')
    return <When {...{ field, row }} />
  if (field.currency) return <span class="number">{amount(value, row[field.currency])}</span>
  if (isPercent(field)) return <>{exactPercent(value)}</>
  if (typeof value === 'number') return <>{number(value)}</>
  if (field.name === 'domain') return <Domain name={value} />
  if (field.long) return <LinkedText text={value} />
  return <>{value}</>
}

interface MailboxProps {
  name: string | null
  address: string
}

function Mailbox({ of: { name, address } }: { of: MailboxProps }) {
  return <bdi title={address}>{name || address}</bdi>
}

function Mailboxes({ of }: { of: readonly MailboxProps[] }) {
  if (of.length === 0) return <span class="muted">–</span>
  return of.map((each, at) => (
    <Fragment key={at}>
      {at > 0 && ', '}
      <Mailbox of={each} />
    </Fragment>
  ))
}

/** A day or a moment, marked if it has passed for something that is still to be done. */
function When({ field: { kind, name }, row }: { field: DescribedField; row: Row }) {
  const value = row[name]
  const when = kind === 'date' ? <time dateTime={value}>{day(value)}</time> : <Moment at={momentOf(name, value)} />
  if (!isLate(row, name)) return when
  return (
    <span class="fault">
      <span class="unseen">{t('Overdue:')} </span>
      {when}
    </span>
  )
}

export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={moment(at)}>
      {sinceOrUntil(at)}
    </time>
  )
}

/** A user that the server sets is the record's author. */
export function isAuthor({ target, readonly }: DescribedField): boolean {
  return target === 'user' && readonly
}

export function isPercent({ name }: DescribedField): boolean {
  return name === 'probability'
}

/** The record that another one refers to; null if it was deleted. */
function Related({ to, target }: { to: Row | null | undefined | string; target: string }) {
  if (!to || typeof to === 'string') return <span class="muted">–</span>
  const title = titleOf(target, to)
  if (isListed(target)) return <a href={href(`${resourceOf(target).page}/${to.id}`)}>{title}</a>
  if (!to.color) return title
  return (
    <span class="badge">
      <span class="dot" style={{ backgroundColor: to.color }} />
      {title}
    </span>
  )
}

/** A record that another one refers to by its id alone. */
function Named({ target, id }: { target: string; id: string }) {
  const name = useNames(target, id) ?? '…'
  return isListed(target) ? <a href={href(`${resourceOf(target).page}/${id}`)}>{name}</a> : name
}

/** The value that stands for an item; an email address or a telephone number as a link. A `?` in an address would add recipients. */
export function ItemLink({ item, field }: { item: Row; field: DescribedField }) {
  const scheme = ({ email: 'mailto:', phone: 'tel:' } as Record<string, string>)[field.kind]
  if (!scheme) return <Value field={field} row={item} relation={undefined} />
  const text = item[field.name]
  return <a href={scheme + text.replaceAll('?', '%3F')}>{text}</a>
}

const domainPattern = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i

/** The domain of a website; a link only if it is a plain domain name. */
function Domain({ name }: { name: string }) {
  if (!domainPattern.test(name)) return <>{name}</>
  return (
    <a href={`https://${name}`} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  )
}
