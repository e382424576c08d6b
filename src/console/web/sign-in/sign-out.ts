import { remove } from '../data/http.ts'
import { deleteDrafts } from '../session/drafts.ts'
import { inEnvironment } from '../session/place.ts'

export async function signOut(): Promise<void> {
  await remove('/console/session').catch((error) => {
    if (error.status !== 401) throw error // the session has ended already
  })
  deleteDrafts()
  location.assign(inEnvironment('/', 'live'))
}
