import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Choice } from '../data/choice.ts'
import { list, type Page } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { ListCard } from '../parts/list-card.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { about, noun, t } from '../text/texts.ts'
import { DealPersonForm, DealRole } from './deal-person.tsx'
import { Person } from './person.tsx'

const shownMax = 4

interface Found {
  shown: Row[]
  /** How many contacts the organization has. */
  total: number
}

interface PeopleProps {
  of: string
  row: Row
  onChanged: () => void
}

/** Whom to call or write about a record: its contact and the people on it, then the contacts of its organization. */
export function People({ of, row, onChanged }: PeopleProps) {
  const [adding, setAdding] = useState(false)
  const { organization } = row
  const loaded = useData(
    (signal) => findPeople(row, signal),
    [row.contact_id, row.organization_id, JSON.stringify(row.contacts)],
  )
  useNews(({ resource }) => resource === 'contact', loaded.refresh)
  const { shown = [], total = 0 } = loaded.data ?? {}
  const { page, label } = resourceOf('contact')
  const company: Choice | undefined = organization && {
    id: organization.id,
    label: titleOf('organization', organization),
  }
  const firstOther = row.contacts ? shown.findIndex((person) => !isOn(row, person)) : -1
  return (
    <ListCard
      label={t('People')}
      verb={row.contacts ? t('Add a person') : about('Add {noun}', label)}
      {...((row.contacts || company) && { onAdd: () => setAdding(true) })}
      loaded={loaded}
    >
      {loaded.data && shown.length === 0 && (
        <p class="muted body">
          {t('Choose a contact or an organization for this {label}.', { label: noun(resourceOf(of).label) })}
        </p>
      )}
      <ul class="list">
        {shown.map((person, at) => (
          <Fragment key={person.id}>
            {at === firstOther && company && (
              <li class={at > 0 ? 'others muted small further' : 'others muted small'}>
                {t('Others at {organization}', { organization: company.label })}
              </li>
            )}
            <Person person={person} isMain={person.id === row.contact_id} isFurther={at > 0 && !isOn(row, person)}>
              {isOn(row, person) && <DealRole deal={row} person={person} onChanged={onChanged} />}
            </Person>
          </Fragment>
        ))}
      </ul>
      {company && total > 1 && (
        // A phone shows only the first person and those on the deal.
        <p class={total > shownMax ? 'body' : 'body person-rest'}>
          <a href={href(`${page}?${new URLSearchParams({ organization_id: company.id })}`)}>
            {t('Show all {total}', { total })}
          </a>
        </p>
      )}
      {adding && row.contacts && (
        <DealPersonForm
          deal={row}
          onClose={() => setAdding(false)}
          onSaved={() => {
            setAdding(false)
            onChanged()
          }}
        />
      )}
      {adding && !row.contacts && (
        <RecordForm
          of="contact"
          preset={{ organization_id: company }}
          onClose={() => setAdding(false)}
          onSaved={() => {
            setAdding(false)
            loaded.reload()
          }}
        />
      )}
    </ListCard>
  )
}

/** Whether a person is on the deal, and not only a colleague. */
function isOn({ contacts }: Row, { id }: Row): boolean {
  return contacts?.some((each: Row) => each.id === id) ?? false
}

async function findPeople({ contact_id, organization_id, contacts }: Row, signal: AbortSignal): Promise<Found> {
  const { path, collections } = resourceOf('contact')
  const roles = new Map<string, string | null>(contacts?.map(({ id, role }: Row) => [id, role]))
  const ids = roles.size > 0 ? [...roles.keys()] : contact_id ? [contact_id] : []
  const include = Object.keys(collections).join()
  const find = (query: Record<string, string>, limit: number): Promise<Page<Row>> =>
    list<Row>(`/${path}`, { ...query, include, limit }, signal)
  const [main, colleagues] = await Promise.all([
    ids.length > 0 ? find({ 'id[in]': ids.join() }, ids.length) : undefined,
    organization_id ? find({ 'filter[organization_id]': organization_id }, shownMax) : undefined,
  ])
  const own = ids.flatMap((id) => main?.data.filter((each) => each.id === id) ?? [])
  const others = colleagues?.data.filter(({ id }) => !ids.includes(id)) ?? []
  return {
    shown: [
      ...own.map((each) => ({ ...each, role: roles.get(each.id) })),
      ...others.slice(0, Math.max(0, shownMax - own.length)),
    ],
    total: colleagues?.pagination.total ?? 0,
  }
}
