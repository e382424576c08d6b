import { remove } from '../data/http.ts'
import { deleteDrafts } from '../session/drafts.ts'
import { inEnvironment } from '../session/place.ts'

export async function signOut(): Promise<void> {
  await remove('/console/session')
  deleteDrafts()
  location.assign(inEnvironment('/', 'live'))
}
