import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { environmentOf } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { get, isGone } from './http.ts'
import { onTold } from './news.ts'
import { type Row, titleOf } from './resource-views.ts'

/** The known names by workspace, resource and id. An address contains only the ids. */
const names = new Map<string, Signal<string | undefined>>()

onTold((told) => {
  if (typeof told === 'string') return
  for (const { resource, record_id } of told) {
    const name = names.get(keyOf(resource, record_id))
    if (name?.value !== undefined) lookUp(resource, record_id, name)
  }
})

/**
 * The names of the records with these ids, separated by commas; `(deleted)` if there is none. Each is requested once while
 * the page is open, and again when others change the record. Undefined until all are known, and without a target.
 */
export function useNames(target: string | undefined, ids: string): string | undefined {
  const entries = target ? ids.split(',').map((id) => ({ id, name: entryFor(target, id) })) : []
  // Before the paint, so that they are part of the first request of the page.
  useLayoutEffect(() => {
    for (const { id, name } of entries) if (name.value === undefined) lookUp(target!, id, name)
  }, [target, ids])
  const known = entries.flatMap(({ name }) => name.value ?? [])
  return target && known.length === entries.length ? known.join(', ') : undefined
}

/** Caches a name that is already known, which saves a request. */
export function cacheName(target: string, id: string, name: string): void {
  entryFor(target, id).value = name
}

function entryFor(target: string, id: string): Signal<string | undefined> {
  const key = keyOf(target, id)
  const name = names.get(key) ?? signal(undefined)
  names.set(key, name)
  return name
}

function keyOf(target: string, id: string): string {
  return [environmentOf(location.pathname), target, id].join('/')
}

/** Those that are on their way. */
const lookedUp = new WeakSet<Signal>()

function lookUp(target: string, id: string, name: Signal<string | undefined>): void {
  if (lookedUp.has(name)) return
  lookedUp.add(name)
  get<Row>(`/${resourceOf(target).path}/${encodeURIComponent(id)}`)
    .then(
      (row) => {
        name.value = titleOf(target, row)
      },
      (error) => {
        if (isGone(error)) name.value = t('(deleted)') // otherwise it is tried again the next time it is shown
      },
    )
    .finally(() => lookedUp.delete(name))
}
