import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { environmentOf } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { get, isGone } from './http.ts'
import { onTold, useNews } from './news.ts'
import { type Row, titleOf } from './resource-views.ts'

/** The known names by workspace, resource and id. An address contains only the ids. */
const names = new Map<string, Signal<string | undefined>>()

/** Where each name comes from: the latest request, which may still be on its way, or a choice. Absent: it may be outdated. */
const sources = new WeakMap<Signal, unknown>()

onTold((told) => {
  const outdated =
    typeof told === 'string'
      ? names.values()
      : told.flatMap(({ resource, record_id }) => names.get(keyOf(resource, record_id)) ?? [])
  for (const name of outdated) sources.delete(name)
})

/**
 * The names of the records with these ids, separated by commas; `(deleted)` if there is none. Each is requested once while
 * the page is open, and again if it is shown after the record may have changed. Undefined until all are known, and without a target.
 */
export function useNames(target: string | undefined, ids: string): string | undefined {
  const entries = target ? ids.split(',').map((id) => ({ id, name: entryFor(target, id) })) : []
  const update = () => {
    for (const { id, name } of entries) if (!sources.has(name)) lookUp(target!, id, name)
  }
  // Before the paint, so that they are part of the first request of the page.
  useLayoutEffect(update, [target, ids])
  useNews(({ resource }) => resource === target, update)
  const known = entries.flatMap(({ name }) => name.value ?? [])
  return target && known.length === entries.length ? known.join(', ') : undefined
}

/** Caches a name that is already known, which saves a request. */
export function cacheName(target: string, id: string, name: string): void {
  const entry = entryFor(target, id)
  entry.value = name
  sources.set(entry, name)
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

function lookUp(target: string, id: string, name: Signal<string | undefined>): void {
  const request = get<Row>(`/${resourceOf(target).path}/${encodeURIComponent(id)}`)
  sources.set(name, request)
  request
    .then(
      (row) => titleOf(target, row),
      (error) => (isGone(error) ? t('(deleted)') : undefined),
    )
    .then((text) => {
      if (sources.get(name) !== request) return
      if (text === undefined)
        sources.delete(name) // it is tried again the next time it is shown
      else name.value = text
    })
}
