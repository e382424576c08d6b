import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { unreached } from '../lib/unreached.ts'
import { urlBelow } from '../lib/web-url.ts'
import { version } from '../packaging/embedded.ts'
import type { Durability } from '../store/durability.ts'
import type { Store } from '../store/store.ts'
import { type Joined, join } from './join.ts'
import { Member } from './member.ts'
import { withLog } from './options.ts'
import { type LogSettings, readState } from './state.ts'
import { WaitingReport } from './waiting-report.ts'

// Commands on a data directory that belongs to a log (docs/cluster.md).

const confirmMs = 10_000
/** Longer than a lease usually is. */
const joinMs = 10_000
const leadMs = 15_000

/** How a command beside a server that runs makes its commits part of the log. */
export interface BesideServer {
  /** To be called under the database's write lock, which a server that hands over waits for. Throws OperatorError if this server does not lead. */
  requireLead(): void
  /** Resolves when what was committed is in the log. Throws OperatorError. */
  confirm(): Promise<void>
}

/** For a command on a directory that a server uses. */
export async function besideServer(directory: string): Promise<BesideServer> {
  const { settings, node, shipping } = readState(directory)!
  const stillLeads = () => readState(directory)?.shipping === shipping
  const { leader, secret } = await withLog(settings, async (log) => ({
    leader: (await log.read(Number.MAX_SAFE_INTEGER)).leader,
    secret: await log.secret(),
  }))
  return {
    requireLead() {
      if (leader && leader.node !== node) {
        throw new OperatorError(`This server follows another one: run the command on the machine of ${leader.url}.`)
      }
      if (shipping === undefined) {
        throw new OperatorError('The server here is of an older version: start it again first.')
      }
      if (!leader || shipping === null) {
        throw new OperatorError('This server does not lead at present: try again.')
      }
      if (!stillLeads()) {
        throw new OperatorError(
          'This server has handed over the lead, so the command has stopped: look at what it has done, and repeat it at the leader, which "kontor log" shows.',
        )
      }
    },
    async confirm() {
      await confirm(settings, secret)
      if (!stillLeads()) throw isUnknown('this server has handed over')
    },
  }
}

async function confirm({ advertise }: LogSettings, secret: string): Promise<void> {
  const url = urlBelow(advertise, 'cluster/sync')
  try {
    const headers = { Authorization: `Bearer ${secret}` }
    const response = await fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(confirmMs) })
    await response.body?.cancel()
    if (response.ok) return
    throw new Error(`${url} answered ${response.status}`)
  } catch (error) {
    throw isUnknown(unreached(error).fault, error)
  }
}

function isUnknown(reason: string, cause?: unknown): OperatorError {
  return new OperatorError(
    `It is not known whether the change is in the log (${reason}): look at it before you repeat the command.`,
    { cause },
  )
}

/** For a command on a directory that no server uses: takes the lead. Throws OperatorError if another node leads. */
export async function leadFor(directory: string, schemaVersion: number): Promise<Joined> {
  const { settings, node } = readState(directory)!
  const { leader } = await withLog(settings, (log) => log.read(Number.MAX_SAFE_INTEGER))
  if (leader && leader.node !== node) {
    throw new OperatorError(`Another server leads: run the command on the machine of ${leader.url}.`)
  }
  return join({ directory, settings, schemaVersion, version, waiting: new WaitingReport(joinMs) })
}

/** Opens the member of a command, which SQLite has opened the database for. `store`: that of the command, once there is one. Resolves when it leads. Throws OperatorError. */
export async function openLeader(joined: Joined, local: Durability, store: () => Store | undefined): Promise<Member> {
  const onFatal = (reason: string) => {
    process.stderr.write(`kontor: ${reason}\n`)
    process.exit(1)
  }
  const member = new Member({ joined, version, local, store, onLead() {}, onFatal })
  member.start()
  for (let waitedMs = 0; !member.isLeader; waitedMs += 20) {
    if (waitedMs > leadMs) {
      await member.stop()
      throw new OperatorError(`Another server leads: run the command on the machine of ${member.leaderUrl}.`)
    }
    await delay(20)
  }
  return member
}
