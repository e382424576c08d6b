import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { t } from '../text/texts.ts'
import { lookupActivityKey } from './activity-keys.ts'

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
