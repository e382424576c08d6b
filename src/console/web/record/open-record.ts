import { useLayoutEffect } from 'preact/hooks'
import { cacheName } from '../data/record-names.ts'
import { type Row, titleOf } from '../data/resource-views.ts'

/** The record whose page is open. */
interface OpenRecord {
  of: string
  id: string
  label: string
}

let open: OpenRecord | undefined

/** The record whose page is open; undefined: another page is. */
export function openRecord(): OpenRecord | undefined {
  return open
}

/** Says that the page of a record is open, and what it is called by now. `row` is undefined while it is not there. */
export function useOpenRecord(of: string, row: Row | undefined): void {
  useLayoutEffect(() => {
    const own = row && { of, id: row.id, label: titleOf(of, row) }
    open = own
    if (own) cacheName(of, own.id, own.label)
    return () => {
      if (open === own) open = undefined
    }
  }, [of, row])
}
