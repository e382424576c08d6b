import { ArrowRight } from 'lucide'
import type { RecordChange } from '../../../features/proposals/changes.ts'
import { get } from '../data/http.ts'
import { type Metadata, textOf } from '../data/metadata.ts'
import { isListed, type Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { Icon } from '../parts/icon.tsx'
import { href } from '../session/place.ts'
import { description, resourceOf } from '../session/session.ts'
import { verbLabel } from '../text/change-verbs.ts'
import { counted, t } from '../text/texts.ts'
import { FieldValue } from '../undo/change-value.tsx'
import { fieldLabel } from '../undo/undo.ts'
import { nameOf } from './proposal.ts'

interface ProposedChangesProps {
  of: readonly RecordChange[]
  total: number
  /** The fields that are left out; undefined: they cannot be. */
  without?: ReadonlySet<string> | undefined
  onToggle: (field: string) => void
}

/** What would change: each record, and each field before and after. */
export function ProposedChanges({ of, total, without, onToggle }: ProposedChangesProps) {
  return (
    <div class="stack">
      {of.map((change) => (
        <OneRecord key={change.type + change.record_id} of={change} {...{ without, onToggle }} />
      ))}
      {total > of.length && (
        <p class="muted small">{counted('and {n} more record|and {n} more records', total - of.length)}</p>
      )}
    </div>
  )
}

function OneRecord({ of, without, onToggle }: { of: RecordChange } & Omit<ProposedChangesProps, 'of' | 'total'>) {
  const [resource = '', verb = ''] = of.type.split('.') as [string, string]
  const isKnown = description.value!.resources.some(({ name }) => name === resource)
  const title = nameOf(of)
  const isNew = verb === 'created'
  const record = useRecord(of, isKnown ? resource : undefined)
  const shown = (name: string, value: unknown, side: 'before' | 'after') => {
    if (value === null) return '–'
    if (!isKnown || name === 'metadata') return textOf(value)
    const currency = currencyOf(resource, name)
    const row = {
      id: '',
      [name]: value,
      ...(currency && { [currency]: of.fields[currency]?.[side] ?? record?.[currency] }),
    }
    return <FieldValue of={resource} name={name} row={row} />
  }
  const isLinked = isKnown && isListed(resource) && !isNew
  return (
    <div class="stack tight">
      <div>
        <span class="muted">{isKnown ? resourceOf(resource).label : resource}: </span>
        {isLinked ? <a href={href(`${resourceOf(resource).page}/${of.record_id}`)}>{title}</a> : title}{' '}
        <span class="badge">{wanted[verb] ?? verbLabel(verb)}</span>
      </div>
      <dl class="changed small">
        {shownFields(of).map(([name, { before, after }]) => (
          <div key={name} class={without?.has(name) ? 'left-out' : ''}>
            <dt>
              {without ? (
                <label class="row">
                  <input type="checkbox" checked={!without.has(name)} onChange={() => onToggle(name)} />
                  {labelOf(resource, isKnown, name)}
                </label>
              ) : (
                labelOf(resource, isKnown, name)
              )}
            </dt>
            <dd>
              {!isNew && <span class="former">{shown(name, before, 'before')}</span>}
              {!isNew && verb !== 'deleted' && (
                <>
                  <span class="unseen"> {t('changed to')} </span>
                  <Icon of={ArrowRight} />
                </>
              )}
              {verb !== 'deleted' && <span>{shown(name, after, 'after')}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** What is wanted, by the verb of the change: nothing has happened yet. */
const wanted: Readonly<Record<string, string>> = {
  created: t('Create'),
  updated: t('Change'),
  deleted: t('Delete'),
  restored: t('Restore'),
  merged: t('Merge'),
  stage_changed: t('Move'),
  won: t('Move'),
  lost: t('Move'),
  completed: t('Complete'),
}

/** What the server sets by itself. */
const stamps = ['created_at', 'updated_at']

/** Without what the server sets in a record that comes or goes. */
function shownFields({ type, fields }: RecordChange): [string, { before: unknown; after: unknown }][] {
  const isWhole = /\.(?:created|deleted|restored)$/.test(type)
  return Object.entries(fields).flatMap(([name, change]): [string, typeof change][] => {
    if (isWhole && stamps.includes(name)) return []
    if (!isWhole || name !== 'metadata') return [[name, change]]
    const { created_via, ...rest } = (change.before ?? change.after) as Metadata
    return Object.keys(rest).length === 0
      ? []
      : [[name, { before: change.before && rest, after: change.after && rest }]]
  })
}

function labelOf(resource: string, isKnown: boolean, name: string): string {
  return isKnown ? fieldLabel(resource, name) : name
}

/** The record as it is, if a change of an amount does not name the currency. */
function useRecord({ fields, record_id }: RecordChange, resource: string | undefined): Row | undefined {
  const lacks = (name: string) => {
    const currency = resource && currencyOf(resource, name)
    return currency && !(currency in fields)
  }
  const isNeeded = Object.keys(fields).some(lacks)
  const load = async (signal: AbortSignal) =>
    isNeeded ? get<Row>(`/${resourceOf(resource!).path}/${record_id}`, signal) : undefined
  return useData(load, [record_id, isNeeded]).data
}

/** The field that holds the currency of an amount. */
function currencyOf(resource: string, name: string): string | undefined {
  return resourceOf(resource).fields.find((field) => field.name === name)?.currency
}
