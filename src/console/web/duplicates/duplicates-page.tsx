import { Merge } from 'lucide'
import { useState } from 'preact/hooks'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { usePlace } from '../data/use-place.ts'
import { Empty } from '../parts/empty.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { SubpageTitle } from '../parts/subpage-title.tsx'
import { useTitle } from '../parts/use-title.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { number, word } from '../text/format.ts'
import { about, counted, noun, t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'
import { MergeDialog, mergedMax } from './merge-dialog.tsx'

interface Group {
  reason: string
  value: string
  count: number
  ids: string[]
}

interface Found {
  groups: Group[]
  /** The records that are named, by id. */
  rows: Map<string, Row>
  hasMore: boolean
}

const pageSize = 20
/** Larger groups come last, folded: they have a common value rather than a common person. */
const usualMax = 20
/** The records of a group that are named: the API finds a page's with one request. */
const namedMax = 5

/** The groups of records that may be the same, each to be compared and merged. */
export function Duplicates({ of }: { of: string }) {
  const { plural, page } = resourceOf(of)
  useTitle(about('Duplicate {noun}', plural))
  const { path, query, route } = usePlace()
  const [pages, setPages] = useState(1)
  const loaded = useData((signal) => findGroups(of, pages, signal), [of, pages])
  useNews(({ resource }) => resource === of, loaded.refresh)
  const compared = query.merge?.split(',') ?? []
  const close = () => route(path, true)
  return (
    <div class="page">
      <div class="stack tight">
        <SubpageTitle of={{ page, plural }} title={t('Duplicates')} />
        <p class="muted">
          {t('{plural} that may be the same. Compare them before you merge: they can also be different.', { plural })}
        </p>
      </div>
      <section class="card" aria-label={t('Duplicates')} aria-busy={loaded.loading}>
        {loaded.data && !loaded.error ? (
          <Groups of={of} found={loaded.data} onMore={() => setPages(pages + 1)} />
        ) : (
          <LoadingBody of={loaded} shape="rows" />
        )}
      </section>
      {compared.length > 1 && (
        <MergeDialog
          of={of}
          ids={compared.slice(0, mergedMax)}
          onClose={close}
          onMerged={() => {
            close()
            loaded.reload()
          }}
        />
      )}
    </div>
  )
}

async function findGroups(of: string, pages: number, signal: AbortSignal): Promise<Found> {
  const { path } = resourceOf(of)
  const found: Found = { groups: [], rows: new Map(), hasMore: false }
  let cursor: string | undefined
  for (let n = 0; n < pages; n++) {
    const { data, pagination } = await list<Group>(`/${path}/duplicates`, { limit: pageSize, cursor }, signal)
    const ids = [...new Set(data.flatMap((group) => group.ids.slice(0, namedMax)))].join()
    const rows = ids === '' ? [] : (await list<Row>(`/${path}`, { 'id[in]': ids, limit: 100 }, signal)).data
    for (const row of rows) found.rows.set(row.id, row)
    found.groups.push(...data)
    cursor = pagination.next_cursor ?? undefined
    if (cursor === undefined) return found
  }
  return { ...found, hasMore: true }
}

interface GroupsProps {
  of: string
  found: Found
  onMore: () => void
}

function Groups({ of, found: { groups, rows, hasMore }, onMore }: GroupsProps) {
  if (groups.length === 0) {
    return (
      <Empty icon={Merge} title={t('No duplicates')}>
        {t('{plural} that have something in common appear here.', { plural: resourceOf(of).plural })}
      </Empty>
    )
  }
  const entries = (shown: readonly Group[]) => (
    <ul class="list">
      {shown.map((group) => (
        <Entry key={`${group.reason} ${group.ids.join()}`} {...{ of, group, rows }} />
      ))}
    </ul>
  )
  const large = groups.filter(({ count }) => count > usualMax)
  return (
    <>
      {entries(groups.filter(({ count }) => count <= usualMax))}
      {hasMore && (
        <div class="body">
          <button type="button" class="button" onClick={onMore}>
            {t('Show more')}
          </button>
        </div>
      )}
      {large.length > 0 && (
        <details class="large-groups">
          <summary class="body">
            {counted('{n} group with more than {max} records|{n} groups with more than {max} records', large.length, {
              max: usualMax,
            })}
          </summary>
          {entries(large)}
        </details>
      )}
    </>
  )
}

interface EntryProps {
  of: string
  group: Group
  rows: ReadonlyMap<string, Row>
}

function Entry({ of, group: { reason, value, count, ids }, rows }: EntryProps) {
  const { page } = resourceOf(of)
  const named = ids.slice(0, namedMax).flatMap((id) => rows.get(id) ?? [])
  const compared = ids.slice(0, mergedMax).join()
  return (
    <li class="wraps">
      <div class="grow">
        <strong>{value}</strong>
        <div class="muted small">
          {t('{count} with the same {word}', { count: countText(of, count), word: noun(word(reason)) })}
        </div>
        <div class="small">
          {named.map((row, at) => (
            <span key={row.id}>
              {at > 0 && ', '}
              <a href={href(`${page}/${row.id}`)}>{titleOf(of, row)}</a>
            </span>
          ))}
          {count > named.length && t(' and {value} more', { value: number(count - named.length) })}
        </div>
      </div>
      <a class="button small" href={href(`${page}/duplicates?merge=${compared}`)}>
        <Icon of={Merge} /> {t('Compare')}
        <span class="unseen"> {value}</span>
      </a>
    </li>
  )
}
