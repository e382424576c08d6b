import * as zlib from 'node:zlib'
import type { Command } from 'commander'
import { readCell, storeCell } from '../access/setting.ts'
import { hasUsers } from '../access/user.ts'
import { createApp } from '../app.ts'
import { measureReaders } from '../changes/readers/log-reader.ts'
import type { ServerNode } from '../cluster/index.ts'
import { allSettings, type Config, type Given, readConfig, unknownIn } from '../config.ts'
import { openFirstSetup } from '../console/setup.ts'
import { type Contents, withoutContents } from '../content/contents.ts'
import { openContents, requireApart } from '../content/open.ts'
import { hasContent } from '../crm/storage.ts'
import { searchedOf } from '../engine/finding/list/search.ts'
import { OperatorError } from '../errors.ts'
import { BackupDesk } from '../features/backups/backup-desk.ts'
import { endAllClaims, listMarked } from '../features/files/content-names.ts'
import { removeErasedOf } from '../features/files/sweep.ts'
import { startContentUpkeep } from '../features/files/upkeep.ts'
import { measureQueue } from '../features/imports/measure-queue.ts'
import { assertResources, logReaders, resources } from '../features/index.ts'
import { startWebhooks } from '../features/webhooks/start-webhooks.ts'
import { measureWebhooks } from '../features/webhooks/stored/webhook-state.ts'
import { type Metrics, openMetrics } from '../http/metrics.ts'
import type { Observe } from '../http/observe.ts'
import { requestLog } from '../http/request-log.ts'
import { listen } from '../http/server.ts'
import { systemClock } from '../lib/clock.ts'
import { log, logAtOnce, openLog } from '../lib/log.ts'
import { LongRequests } from '../long-requests/threads.ts'
import { built } from '../packaging/embedded.ts'
import { openForServer } from '../store/directory.ts'
import { walDurability } from '../store/durability.ts'
import { noErasures } from '../store/erasure-watch.ts'
import { newestOf } from '../store/migrate.ts'
import { logSlow } from '../store/slow.ts'
import { Store } from '../store/store.ts'
import { ReadThreads } from '../threads/read-threads.ts'
import { startWork } from '../threads/work.ts'
import { contentsSetting } from './contents.ts'
import { createFirstOwner, firstOwnerOf } from './first-owner.ts'
import { giveMailTo } from './give-mail.ts'
import { LeaderWork } from './leader-work.ts'
import { type MailDoors, openMailDoors, requireMailSettings } from './mail-doors.ts'
import { schema } from './open-store.ts'
import { command, initOption, withSettings } from './program.ts'
import { requireS3 } from './require-s3.ts'
import { end, onStopSignal } from './stop.ts'
import { inviteOwner, welcome } from './welcome.ts'

interface ServeOptions {
  welcome?: boolean
  init?: boolean
}

export function serveCommand(): Command {
  return withSettings(command('serve', 'start the server'), allSettings)
    .option('--welcome', 'if the data directory is empty, create a company and a key and print how to use them')
    .addOption(initOption())
    .action(({ welcome, init, ...given }: ServeOptions) =>
      serve(readConfig(allSettings, given as Given, process.env), { welcome, init }),
    )
}

/** Serves until a signal stops the process (decision F2). */
async function serve(config: Config, flags: ServeOptions): Promise<void> {
  const owner = firstOwnerOf(config)
  await openLog()
  requireMailSettings(config)
  if (config.backupDir && !config.files) requireApart(config.backupDir, config.data)
  const node = await joinLog(config)
  const startHere = () => startServer(config, flags, { owner, node })
  await (node ? node.orLeaveLead(startHere) : startHere())
}

interface Beginning {
  owner: ReturnType<typeof firstOwnerOf>
  node: ServerNode | undefined
}

/** `node`: of a server with a log, which it has joined. */
async function startServer(config: Config, flags: ServeOptions, { owner, node }: Beginning): Promise<void> {
  const opening = { init: flags.init, tell: logAtOnce, release: node?.release }
  const { path, db, release } = openForServer(config.data, schema, opening)
  const local = walDurability(path, exitUnclosed)
  const durability = node?.open(local) ?? { durability: local }
  const store = new Store({ db, clock: systemClock, ...durability, slow: logSlow(config.slowMs) })
  if (!built) assertResources(store.access) // the build has done so
  let erasures = noErasures
  const waitingErasures = () => node?.member.checkpoints.erasures ?? erasures
  const { slowMs, listMs: limitMs } = config
  const positions = node?.member.shown.cells
  const readThreads = new ReadThreads({ path, positions, slowMs, limitMs, erasures: waitingErasures })
  const place = contentsSetting(config, path)
  const contents = node && !place.s3 ? undefined : openContents(place)
  if (contents && place.s3) await requireS3(contents, place.s3)
  if (!contents && hasContent(store.access))
    log('the files of this database cannot be read', { reason: withoutContents }, 'warn')
  const mail = await openMailDoors(config, { store, contents })
  const afterwards = (workspaceId: number) => removeErasedOf(store, contents, workspaceId)
  const longRequests = new LongRequests({ store, path, slowMs, logState: local.logState, afterwards })
  const logMeasures = node && (() => node.member.measures)
  const metrics =
    config.metrics && (await measure(config.metrics, store, path, { waitingErasures, logMeasures, contents, mail }))
  const backups = config.backupDir ? new BackupDesk(backupPlan(config, config.backupDir)) : null
  const app = createApp({
    ...{ config, store, readThreads, backups, contents, observers: observersOf(config, metrics) },
    ...{ mail: mail?.room, mailSpool: mail?.spool, serveLong: longRequests.serve },
    ...node?.appOptions(store),
  })
  const listener = await listen(app, config)
  let created: string | undefined
  let setup: string | undefined
  const leaderWork = new LeaderWork([
    async () => contents && (await store.writeAccess(endAllClaims)), // once: later ones are of uploads that arrive here
    async () => contents && keepContent(store, contents, path),
    async () => mail?.deliver(),
    async () => {
      if (config.cell !== undefined) await nameCell(store, config.cell)
      created = owner && (await createFirstOwner(store, owner))
      setup = await openFirstSetup(store)
    },
    // Last, so that nothing that they log comes before "listening".
    async () => {
      const work = startWork(store, {
        path,
        logState: local.logState,
        searched: resources.map(searchedOf),
        onErasures(waiting) {
          erasures = waiting
        },
        ...(node && { confirm: () => store.synced(), checkpoints: false }),
        ...(backups && { backups }),
        contents: place,
        ...(config.changesKeepMs !== undefined && { changesKeepMs: config.changesKeepMs }),
      })
      const webhooks = startWebhooks(store, app.hub, { path, allowed: config.webhookAllow, dns: config.dns })
      return () => webhooks.stop().then(work.stop)
    },
  ])
  onStopSignal([
    () => Promise.all([listener.drain(), mail?.drain()]).then(() => {}),
    () => metrics?.close(),
    () => app.usage.end(),
    () => leaderWork.end(),
    () => mail?.stop(),
    () => readThreads.close(),
    () => longRequests.close(),
    async () => {
      if (!node || (await node.member.stop())) await store.close()
    },
    release,
  ])
  await (node ? startNode(node, leaderWork, mail) : leaderWork.begin())
  const smtp = await mail?.listen()
  const publicUrl = config.publicUrl?.href ?? listener.url
  const setupUrl = setup && `${publicUrl}${setup}`
  const further = {
    ...(config.publicUrl && { public_url: publicUrl }),
    ...(created && { owner: created }),
    ...(setupUrl && { setup_url: setupUrl }),
    ...(metrics && { metrics: metrics.url }),
    ...(smtp && { smtp }),
  }
  log('listening', { url: listener.url, ...further })
  warnOfSettings(owner !== undefined && !created && !hasUsers(store.access))
  if (flags.welcome) await welcome(store, publicUrl)
  if (setupUrl) inviteOwner(setupUrl)
}

type MetricsOf = Parameters<typeof openMetrics>[1]

function measure(
  address: NonNullable<Config['metrics']>,
  store: Store,
  path: string,
  given: {
    waitingErasures: MetricsOf['erasures']
    logMeasures: MetricsOf['log']
    contents: Contents | undefined
    mail: { measures: MetricsOf['mail'] } | undefined
  },
): Promise<Metrics> {
  return openMetrics(address, {
    database: path,
    queue: () => measureQueue(store),
    webhooks: () => measureWebhooks(store.access, store.clock.now()),
    behind: () => measureReaders(logReaders, store),
    disk: () => store.disk.fault,
    erasures: given.waitingErasures,
    content: {
      removals: () => listMarked(store.access).length,
      faults: (fault) => given.contents?.faults.of(fault) ?? 0,
    },
    mail: given.mail?.measures,
    log: given.logMeasures,
  })
}

function warnOfSettings(isOwnerUnused: boolean): void {
  if (isOwnerUnused) {
    log('KONTOR_COMPANY has no effect: the data directory was not empty. Use the setup link', {}, 'warn')
  }
  for (const problem of unknownIn(process.env)) log(problem, {}, 'warn')
}

/** Removes what earlier processes have left, since no other one accepts uploads, and begins to remove what nothing needs. */
async function keepContent(store: Store, contents: Contents, path: string): Promise<() => Promise<void>> {
  await contents.removeUnfinished(performance.timeOrigin) // what arrives at this process stays
  return startContentUpkeep(store, contents, path).stop
}

/** The node of a server with a log, in its log; undefined without one. */
async function joinLog({ log, ...config }: Config) {
  if (log === undefined) return undefined
  if (!('zstdCompress' in zlib)) throw new OperatorError('--log needs Node.js 22.15 or newer.')
  const cluster = await import('../cluster/index.ts')
  return cluster.joinLog({ ...config, log }, newestOf(schema.steps))
}

/** What a server that follows has accepted while it led, the server that leads now delivers. */
async function startNode(node: ServerNode, { begin }: LeaderWork, mail: MailDoors | undefined): Promise<void> {
  const { member } = node
  await node.start(begin)
  const own = member.joined.place.settings.advertise
  const otherLeader = () => (member.leaderUrl === own ? undefined : member.leaderUrl)
  if (!member.isLeader) await mail?.giveAway(giveMailTo(otherLeader))
}

/** In the database, so that commands that create keys know it, too. */
async function nameCell(store: Store, cell: string): Promise<void> {
  if (readCell(store.access) !== cell) await store.writeAccess((tx) => storeCell(tx, cell))
}

function backupPlan({ backupEveryMs, backupKeep, withoutFiles }: Config, directory: string) {
  return { directory, everyMs: backupEveryMs, keep: backupKeep, withoutFiles: withoutFiles === 'on' }
}

function observersOf(config: Config, metrics: Metrics | undefined): Observe[] {
  return [...(config.requestLog === 'on' ? [requestLog(config.slowMs)] : []), ...(metrics ? [metrics.observe] : [])]
}

/** Exits without closing the database, since closing would checkpoint. */
function exitUnclosed(reason: string): void {
  log(`exiting: ${reason}`, {}, 'error')
  end(1)
}
