import type { ActivityKey } from '../../../crm/activity-key.ts'
import { get } from '../data/http.ts'
import { t } from '../text/texts.ts'
import { notify } from './notes.tsx'

const idsMax = 100

interface Batch {
  ids: string[]
  keys: Promise<Map<string, ActivityKey>>
}

let batch: Batch | undefined

/** The API key that created an activity, if any. Lookups in the same turn of the event loop share one request. */
export async function lookupActivityKey(id: string): Promise<ActivityKey | undefined> {
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
