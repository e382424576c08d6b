import type { ComponentChildren } from 'preact'
import type { Page } from '../data/http.ts'
import type { Loaded } from '../data/use-data.ts'
import { LoadingBody } from './error-notice.tsx'
import { Pager } from './pager.tsx'

interface PagedCardProps<T> {
  label: string
  of: Loaded<Page<T>>
  /** The requested page. */
  page: number
  onPage: (page: number) => void
  rows: (data: T[]) => ComponentChildren
}

/** A list of things that are not records, page by page. */
export function PagedCard<T>({ label, of, page, onPage, rows }: PagedCardProps<T>) {
  return (
    <section class="card" aria-label={label} aria-busy={of.loading}>
      {of.data && !of.error ? rows(of.data.data) : <LoadingBody of={of} shape="rows" />}
      {of.data && of.data.pagination.total > of.data.pagination.limit && (
        <Pager of={of.data.pagination} at={page} onPage={onPage} />
      )}
    </section>
  )
}
