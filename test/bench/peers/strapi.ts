import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { organization } from '../served.ts'
import { closing, fill, installed, launch, loadsOf, organizationAt, type Peer, post } from './peer.ts'

/** Starts a new Strapi app with the default settings, except that it logs no requests. Fills it over its API with an API token. */
export async function strapi(): Promise<Peer | string> {
  const program = join(installed, '@strapi', 'strapi', 'bin', 'strapi.js')
  if (!existsSync(program)) return '@strapi/strapi and better-sqlite3 are not installed in BENCH_PEERS'
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const port = await freePort()
  for (const [path, text] of Object.entries(appAt(port))) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  symlinkSync(installed, join(directory, 'node_modules'))
  const base = `http://127.0.0.1:${port}`
  const env = { STRAPI_TELEMETRY_DISABLED: 'true', STRAPI_DISABLE_UPDATE_NOTIFICATION: 'true' }
  const child = await launch([process.execPath, program, 'start'], `${base}/_health`, { cwd: directory, env })
  const headers = { Authorization: `Bearer ${readFileSync(join(directory, 'token'), 'utf8')}` }
  const collection = { url: `${base}/api/organizations`, headers, wrap: (data: object) => ({ data }) }
  const { data } = await post(collection.url, headers, collection.wrap(organizationAt(0)))
  await fill(collection, 1)
  const list = '?pagination[pageSize]=50'
  const loads = loadsOf(collection, data.documentId, { list, filtered: `${list}&filters[status][$eq]=active` })
  return { loads, close: closing(child, directory) }
}

/** The files of an app, by path. The app writes its API token to the file `token`. */
function appAt(port: number): Record<string, string> {
  const [api, secret] = ['src/api/organization', 'only for this run']
  const json = {
    'package.json': { name: 'bench', version: '1.0.0', dependencies: { '@strapi/strapi': '*' } },
    'config/server.json': { host: '127.0.0.1', port, app: { keys: [secret] } },
    'config/admin.json': {
      auth: { secret },
      apiToken: { salt: secret },
      transfer: { token: { salt: secret } },
      serveAdminPanel: false,
    },
    'config/database.json': {
      connection: { client: 'sqlite', connection: { filename: 'data.db' }, useNullAsDefault: true },
    },
    'config/middlewares.json': middlewares,
    [`${api}/content-types/organization/schema.json`]: schema,
  }
  const core = (kind: string) =>
    `module.exports = require('@strapi/strapi').factories.createCore${kind}('api::organization.organization')`
  return {
    ...Object.fromEntries(Object.entries(json).map(([path, value]) => [path, JSON.stringify(value)])),
    [`${api}/controllers/organization.js`]: core('Controller'),
    [`${api}/routes/organization.js`]: core('Router'),
    [`${api}/services/organization.js`]: core('Service'),
    'src/index.js': bootstrap,
    'public/uploads/.gitkeep': '',
  }
}

const middlewares = ['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public'].map(
  (name) => `strapi::${name}`,
)

const schema = {
  kind: 'collectionType',
  collectionName: 'organizations',
  info: { singularName: 'organization', pluralName: 'organizations', displayName: 'Organization' },
  options: { draftAndPublish: false },
  indexes: [{ name: 'organization_status', columns: ['status'] }],
  attributes: Object.fromEntries(
    Object.entries(organization).map(([name, value]) => [
      name,
      { type: typeof value === 'string' ? 'string' : 'json' },
    ]),
  ),
}

const bootstrap = `module.exports = {
  async bootstrap({ strapi }) {
    const asked = { name: 'bench', type: 'full-access', lifespan: null }
    const { accessKey } = await strapi.service('admin::api-token').create(asked)
    require('node:fs').writeFileSync('token', accessKey)
  },
}`
