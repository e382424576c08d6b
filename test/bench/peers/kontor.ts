import { served } from '../served.ts'
import { contactDetails, contactFields, contactLoad, fill, loadsOf, type Peer } from './peer.ts'

export async function kontor(env: NodeJS.ProcessEnv = {}): Promise<Peer> {
  const { url, headers, ids, close } = await served(env)
  const collection = { url, headers }
  await fill(collection, ids.length)
  const loads = loadsOf(collection, ids[500]!, { list: '?limit=50', filtered: '?limit=50&status=active' })
  const contacts = url.replace('organizations', 'contacts')
  const contact = contactLoad(contacts, headers, { ...contactFields, metadata: contactDetails })
  return { loads: { ...loads, ...contact }, close }
}
