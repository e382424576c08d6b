import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import { findWorkspaceId } from '../access/company.ts'
import { insertInvitation } from '../access/invitation.ts'
import { generateKey, keyPattern } from '../access/key.ts'
import { insertSetupLink } from '../access/setup-link.ts'
import { hasUsers, lookupOwnerId } from '../access/user.ts'
import { ConfigError, limitSettings, networkSettings, readConfig, type SettingName, unknownIn } from '../config.ts'
import { invitationPath } from '../console/password.ts'
import { setupPath } from '../console/setup.ts'
import { Destinations } from '../features/webhooks/transport/destinations.ts'
import { listen } from '../http/server.ts'
import { logToStandardError } from '../lib/log.ts'
import { parseSpan } from '../lib/moment.ts'
import { type ClockState, clockEnds, lastMs } from '../sandbox/clock.ts'
import type { Image } from '../sandbox/image.ts'
import { followParent, lifeOf } from '../sandbox/parent.ts'
import { loadSeed } from '../sandbox/seed/load.ts'
import { readSeed } from '../sandbox/seed/read.ts'
import { startImages } from '../sandbox/start-images.ts'
import { Worlds } from '../sandbox/worlds/worlds.ts'
import type { Store } from '../store/store.ts'
import { command, withSettings } from './program.ts'
import { madeImages } from './sandbox-images.ts'
import { onStopSignal } from './stop.ts'

const sandboxSettings = [
  ...networkSettings,
  ...limitSettings,
  'changesKeepMs',
] as const satisfies readonly SettingName[]

/** A free port, so that several sandboxes can run on one machine, and limits that allow one client to use all resources. */
const defaults = {
  ...{ port: '0', connectionsPerAddressMax: '2000', requestsPerClientMax: '1000' },
  ...{ unreadBytesMax: String(256 * 2 ** 20), unreadBytesPerClientMax: String(128 * 2 ** 20) },
}

const keyVariable = 'KONTOR_SANDBOX_KEY'

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
    .option('--seed <what>', 'data to start with: empty, demo, or a file', 'empty')
    .option('--now <timestamp>', 'time at which its clock starts; it then ticks')
    .addOption(new Option('--key <key>', 'its key, svc_test_ and 32 letters and digits').env(keyVariable))
    .option('--parent <pid>', 'process with which it ends')
    .action(sandbox)
}

/** Prints one JSON line when the server is ready (decisions F5, I1), and on standard error everything else, such as how to open the console. */
async function sandbox(
  { seed = 'empty', now, key, parent, ...given }: SandboxOptions,
  command: Command,
): Promise<void> {
  logToStandardError()
  const config = { ...readConfig(sandboxSettings, given, process.env, defaults), rateLimits: 'off' as const }
  const pid = parent === undefined ? undefined : readPid(parent)
  const ownKey = key
    ? readKey(key, command.getOptionValueSource('key') === 'env' ? keyVariable : '--key')
    : generateKey('test', { randomBytes })
  const images = startImages(madeImages)
  const destinations = new Destinations(config.webhookAllow, { loopback: true, dns: config.dns })
  const image = seed === 'demo' ? await images.demo() : await images.empty()
  const worlds = new Worlds({ config, destinations, images, key: ownKey, start: withClock(image, now) })
  const { instance } = worlds.main
  if (seed !== 'demo' && seed !== 'empty') await fill(worlds, seed, now)
  const link = await invite(instance.store)
  await worlds.main.begin()
  const listener = await listen(worlds, config)
  const stop = onStopSignal([listener.drain, () => worlds.close(), () => destinations.close()])
  if (pid !== undefined) followParent(pid, stop)
  const url = config.publicUrl?.href ?? listener.url
  process.stdout.write(`${JSON.stringify({ url, key: ownKey, company_id: image.companyId })}\n`)
  for (const problem of unknownIn(process.env)) process.stderr.write(`kontor: ${problem}\n`)
  if (link) process.stderr.write(`To use the console, open this link (it works once): ${url}/test${link}\n`)
}

/** Loads a seed file. Its clock counts unless `--now` is given. */
async function fill({ main: { instance, start } }: Worlds, file: string, now: string | undefined): Promise<void> {
  const { companyId } = start
  const workspaceId = findWorkspaceId(instance.store.access, companyId, 'test')
  await loadSeed({ instance, companyId, workspaceId, keepsClock: now !== undefined }, readSeed(file))
}

/** The path of a link that creates the first user, or lets an owner choose a password. Undefined: no user of a seed file is an owner. */
async function invite(store: Store): Promise<string | undefined> {
  const owner = lookupOwnerId(store.access)
  if (owner !== undefined) return invitationPath(await store.writeAccess((tx) => insertInvitation(tx, owner)))
  return hasUsers(store.access) ? undefined : setupPath((await store.writeAccess(insertSetupLink)).token)
}

function withClock(image: Image, now: string | undefined): Image {
  if (now === undefined) return image
  const span = parseSpan(now)
  if (!span || span.start < 0)
    throw new ConfigError(`--now must be a timestamp such as 2026-01-05T09:00:00Z; it is "${now}"`)
  if (span.start > lastMs) throw new ConfigError(`--now is too late: ${clockEnds}`)
  const clock: ClockState = { mode: 'ticking', nowMs: span.start }
  return { ...image, clock }
}

function readKey(key: string, source: string): string {
  if (keyPattern.test(key) && key.startsWith('svc_test_')) return key
  throw new ConfigError(`${source} must be svc_test_ and 32 letters and digits`)
}

function readPid(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text) && lifeOf(Number(text)) !== undefined) return Number(text)
  throw new ConfigError(`--parent must be the id of a running process; it is "${text}"`)
}
