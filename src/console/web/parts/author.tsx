import type { ActivityKey } from '../../../crm/activity-key.ts'
import { get } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { t } from '../text/texts.ts'
import { notify } from './notes.tsx'

/** Who created an activity: its user, or the API key. */
export function Author({ of }: { of: Row }) {
  return of.user ? titleOf('user', of.user) : <Key id={of.id} />
}

/** `API` for entries that were created before keys were recorded. */
function Key({ id }: { id: string }) {
  const { data: key, loading, error } = useData(() => lookupActivityKey(id), [id])
  if (key)
    return key.user_name === null
      ? t('API key “{name}”', { name: key.name })
      : t('{user_name}’s key “{name}”', { user_name: key.user_name, name: key.name })
  if (error) return t('API key not loaded')
  return loading ? '…' : 'API'
}

const idsMax = 100

interface Batch {
  ids: string[]
  keys: Promise<Map<string, ActivityKey>>
}

let batch: Batch | undefined

/** The API key that created an activity, if any. Lookups in the same turn of the event loop share one request. */
async function lookupActivityKey(id: string): Promise<ActivityKey | undefined> {
  if (!batch || batch.ids.length === idsMax) batch = begin()
  batch.ids.push(id)
  return (await batch.keys).get(id)
}

function begin(): Batch {
  const ids: string[] = []
  return { ids, keys: Promise.resolve().then(() => load(ids)) }
}

async function load(ids: readonly string[]): Promise<Map<string, ActivityKey>> {
  batch = undefined
  try {
    const keys = await get<ActivityKey[]>(`/console/activity-keys?ids=${ids.join()}`)
    return new Map(keys.map((key) => [key.activity_id, key]))
  } catch (error) {
    notify(t('The API keys of some entries could not be loaded. {message}', { message: (error as Error).message }))
    throw error
  }
}
