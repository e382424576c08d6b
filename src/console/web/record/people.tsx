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
import { Person } from './person.tsx'

const shownMax = 4

interface Found {
  shown: Row[]
  /** How many contacts the organization has. */
  total: number
}

/** Whom to call or write about a record: its contact, then the contacts of its organization. */
export function People({ of, row }: { of: string; row: Row }) {
  const [adding, setAdding] = useState(false)
  const { organization } = row
  const loaded = useData((signal) => findPeople(row, signal), [row.contact_id, row.organization_id])
  useNews(({ resource }) => resource === 'contact', loaded.refresh)
  const { shown = [], total = 0 } = loaded.data ?? {}
  const { page, label } = resourceOf('contact')
  const company: Choice | undefined = organization && {
    id: organization.id,
    label: titleOf('organization', organization),
  }
  return (
    <ListCard
      label={t('People')}
      verb={about('Add {noun}', label)}
      {...(company && { onAdd: () => setAdding(true) })}
      loaded={loaded}
    >
      {loaded.data && shown.length === 0 && (
        <p class="muted body">
          {t('Choose a contact or an organization for this {label}.', { label: noun(resourceOf(of).label) })}
        </p>
      )}
      <ul class="list">
        {shown.map((person) => (
          <Person key={person.id} person={person} isMain={person.id === row.contact_id} />
        ))}
      </ul>
      {company && total > 1 && (
        // A phone shows only the first person.
        <p class={total > shownMax ? 'body' : 'body person-rest'}>
          <a href={href(`${page}?${new URLSearchParams({ organization_id: company.id })}`)}>
            {t('Show all {total}', { total })}
          </a>
        </p>
      )}
      {adding && (
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

async function findPeople({ contact_id, organization_id }: Row, signal: AbortSignal): Promise<Found> {
  const { path, collections } = resourceOf('contact')
  const include = Object.keys(collections).join()
  const find = (query: Record<string, string>, limit: number): Promise<Page<Row>> =>
    list<Row>(`/${path}`, { ...query, include, limit }, signal)
  const [main, colleagues] = await Promise.all([
    contact_id ? find({ 'id[in]': contact_id }, 1) : undefined,
    organization_id ? find({ 'filter[organization_id]': organization_id }, shownMax) : undefined,
  ])
  const others = colleagues?.data.filter(({ id }) => id !== contact_id) ?? []
  return {
    shown: [...(main?.data ?? []), ...others].slice(0, shownMax),
    total: colleagues?.pagination.total ?? 0,
  }
}
