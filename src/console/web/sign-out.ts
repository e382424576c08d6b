import { deleteDrafts } from './drafts.ts'
import { remove } from './http.ts'
import { inEnvironment } from './place.ts'

export async function signOut(): Promise<void> {
  await remove('/console/session')
  deleteDrafts()
  location.assign(inEnvironment('/', 'live'))
}
