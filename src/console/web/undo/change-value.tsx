import { ArrowRight } from 'lucide'
import { type ComponentChildren, Fragment } from 'preact'
import type { DescribedCollection } from '../../description.ts'
import type { Change } from '../data/change-log.ts'
import { keyOf } from '../data/declared.ts'
import { type Metadata, textOf } from '../data/metadata.ts'
import { useNames } from '../data/record-names.ts'
import { isListed, type Row } from '../data/resource-views.ts'
import { Icon } from '../parts/icon.tsx'
import { itemFacts, itemTitle } from '../parts/item-text.ts'
import { Value } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { declaredOf, resourceOf } from '../session/session.ts'
import { momentOf } from '../text/days.ts'
import { moment } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { fieldLabel } from './undo.ts'

interface Pair {
  label: string
  from: ComponentChildren
  to: ComponentChildren
}

/** The changed fields of a record, each with its former and its new value. */
export function ChangedFields({ of }: { of: Change }) {
  const { resource, changed, previous, data, record_id } = of
  if (!previous) return null
  const after = data ?? { id: record_id }
  const before = formerRow(of)
  const pairs = changed.flatMap((name): Pair[] => {
    if (name !== 'metadata') return [{ label: fieldLabel(resource, name), ...valuesOf(resource, name, before, after) }]
    return entryNames(before, after).map((entry) => entryPair(resource, entry, before, after))
  })
  if (pairs.length === 0) return null
  return (
    <dl class="changed small">
      {pairs.map(({ label, from, to }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <span class="former">{from}</span>
            <span class="unseen"> {t('changed to')} </span>
            <Icon of={ArrowRight} />
            <span>{to}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The record before a change. Its items have the names of the changes: `emails`. */
export function formerRow({ record_id, previous, data }: Change): Row {
  return { ...data, ...previous, id: record_id }
}

function valuesOf(of: string, name: string, before: Row, after: Row) {
  const collection = resourceOf(of).collections[name]
  return {
    from: <FieldValue of={of} name={name} row={before} />,
    to: <FieldValue of={of} name={name} row={collection ? { ...after, [name]: after[collection.as] } : after} />,
  }
}

/** A field, the items of a contact, or the people on a deal, as a history shows them: a record by its name. */
export function FieldValue({ of, name, row }: { of: string; name: string; row: Row }): ComponentChildren {
  const { fields, collections, links } = resourceOf(of)
  const field = fields.find((each) => each.name === name)
  const value = row[name]
  if (collections[name]) return itemsText(value ?? [], collections[name])
  if (links[name]) return <LinkedNames of={links[name]} linked={value ?? []} />
  if (!field) return value === undefined || value === null ? '–' : textOf(value)
  if (field.kind === 'ids')
    return <LinkedNames of={name.replace('_ids', '')} linked={(value ?? []).map((id: string) => ({ id }))} />
  if (field.kind === 'reference' && field.target && value) return <RecordName of={field.target} id={value} />
  if (field.kind === 'timestamp' && value) return moment(momentOf(name, value))
  if (field.kind === 'metadata') return Object.keys(value ?? {}).join(', ') || '–'
  return <Value field={field} row={row} relation={undefined} />
}

/** The records that are linked to another one, each with its role. */
function LinkedNames({ of, linked }: { of: string; linked: readonly Row[] }) {
  if (linked.length === 0) return '–'
  return linked.map(({ id, role }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <RecordName of={of} id={id} />
      {role && ` (${role})`}
    </Fragment>
  ))
}

function itemsText(items: readonly Row[], of: DescribedCollection): string {
  const texts = items.map((item) => {
    const facts = itemFacts(of, item)
    return facts.length > 0 ? `${itemTitle(of, item)} (${facts.join(' · ')})` : itemTitle(of, item)
  })
  return texts.join(', ') || '–'
}

/** The name of a record, which is loaded; a link if the record has a page. */
export function RecordName({ of, id }: { of: string; id: string }) {
  const name = useNames(of, id) ?? '…'
  return isListed(of) ? <a href={href(`${resourceOf(of).page}/${id}`)}>{name}</a> : name
}

function entryNames({ metadata: before }: Row, { metadata: after }: Row): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
}

/** A member of the metadata; a declared one as its field. */
function entryPair(of: string, entry: string, before: Row, after: Row): Pair {
  const field = declaredOf(of).find(({ name }) => keyOf(name) === entry)
  if (!field) return { label: entry, ...entryValues(entry, before, after) }
  const shown = (row: Row) => <Value field={field} row={row} relation={undefined} />
  return { label: field.label, from: shown(before), to: shown(after) }
}

function entryValues(name: string, before: Row, after: Row) {
  const text = (metadata: Metadata | undefined) => (metadata && name in metadata ? textOf(metadata[name]) : '–')
  return { from: text(before.metadata), to: text(after.metadata) }
}
