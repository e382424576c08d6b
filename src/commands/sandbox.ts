import { type Command, Option } from 'commander'
import { findWorkspaceId } from '../access/company.ts'
import { insertInvitation } from '../access/invitation.ts'
import { insertKey } from '../access/key.ts'
import { defaultPlan } from '../access/plan.ts'
import { insertSetupLink } from '../access/setup-link.ts'
import { lookupOwnerId } from '../access/user.ts'
import { createApp } from '../app.ts'
import { limitSettings, networkSettings, readConfig, type SettingName } from '../config.ts'
import { setupPath } from '../console/setup.ts'
import { createCompany } from '../crm/create-company.ts'
import { listen } from '../http/server.ts'
import { sendTo, startWebhooksHere } from '../jobs/webhooks.ts'
import { startWorkHere } from '../jobs/work.ts'
import { systemClock } from '../lib/clock.ts'
import { loadPacked } from '../packaging/embedded.ts'
import { noDurability } from '../store/durability.ts'
import { migrate } from '../store/migrate.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { Store } from '../store/store.ts'
import { Destinations } from '../webhooks/destinations.ts'
import { schema } from './open-store.ts'
import { command, withSettings } from './program.ts'
import { demoTime, seedDemo } from './seed/demo.ts'
import { onStopSignal } from './stop.ts'

const sandboxSettings = [...networkSettings, ...limitSettings] as const satisfies readonly SettingName[]

/** A free port, so that several sandboxes can run on one machine, and limits that allow one client to use all resources. */
const defaults = { port: '0', connectionsPerAddressMax: '2000', requestsPerClientMax: '1000' }

type SandboxOptions = Record<string, string | undefined>

export function sandboxCommand(): Command {
  return withSettings(
    command(
      'sandbox',
      'start a server with one company and a test key; all data is in memory and is lost when it stops',
    ),
    sandboxSettings,
    defaults,
  )
    .addOption(new Option('--seed <name>', 'data to start with').choices(['demo']))
    .action(sandbox)
}

/** Prints one JSON line when the server is ready (decision F5), and on standard error how to open the console. */
async function sandbox(options: SandboxOptions): Promise<void> {
  const config = readConfig(sandboxSettings, options, process.env, defaults)
  loadPacked()
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  migrate(db, schema.schema, schema.steps)
  const key = await setUp(db, options.seed === 'demo')
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const destinations = new Destinations(config.webhookAllow, { loopback: true })
  const app = createApp({ config: { ...config, rateLimits: 'off' }, store, destinations })
  startWorkHere(store)
  const webhooks = startWebhooksHere(store, app.hub, sendTo(destinations))
  const listener = await listen(app, config)
  onStopSignal([listener.drain, webhooks.stop])
  process.stdout.write(`${JSON.stringify({ url: listener.url, ...key })}\n`)
  process.stderr.write(
    `To use the console, open this link (it works once): ${listener.url}/test${await invite(store)}\n`,
  )
}

/** The path of a link that creates the first user, or with the demo lets its owner choose a password. */
async function invite(store: Store): Promise<string> {
  const owner = lookupOwnerId(store.access)
  if (owner === undefined) return setupPath((await store.writeAccess(insertSetupLink)).token)
  const token = await store.writeAccess((tx) => insertInvitation(tx, owner))
  return `/invitation#${token}`
}

/** Creates the company and its key. With the demo data, the company's id is always the same. */
async function setUp(db: Connection, withDemo: boolean): Promise<{ key: string; company_id: string }> {
  const store = new Store({ db, durability: noDurability, ...(withDemo ? demoTime() : { clock: systemClock }) })
  const made = await store.writeAccess((tx) => {
    const { id } = createCompany(tx, { name: 'Sandbox', plan: defaultPlan })
    const { key } = insertKey(tx, { companyId: id, environment: 'test', name: 'Sandbox', scopes: ['admin:all'] })
    return { key, company_id: id, workspaceId: findWorkspaceId(tx, id, 'test') }
  })
  if (withDemo) await seedDemo(store, made.company_id, made.workspaceId)
  return { key: made.key, company_id: made.company_id }
}
