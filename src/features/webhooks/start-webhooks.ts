import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeHub } from '../../changes/hub.ts'
import { latestOf } from '../../changes/stored-change.ts'
import { errorFields, log } from '../../lib/log.ts'
import { version } from '../../packaging/embedded.ts'
import type { Store } from '../../store/store.ts'
import { startRemoval } from './remove-deliveries.ts'
import { Sender } from './sender/sender.ts'
import type { SenderOptions } from './sender/sender-options.ts'
import { type SenderControl, startSenderThread } from './sender-thread.ts'
import { WebhookReports } from './store-reports.ts'
import { includesWebhooks, listWorkspaces } from './stored/webhook-state.ts'
import type { WebhookInput } from './thread-messages.ts'
import { eventTypes, webhooksChanged } from './webhook.ts'

interface Webhooks {
  stop(): Promise<void>
}

export interface WebhooksHere extends Webhooks {
  /** Resolves when everything that is due now has been attempted and stored. */
  idle(): Promise<void>
}

const restartMs = 1_000
/** How often it is looked for webhooks that another process has added. */
const lookMs = 1_000
const userAgent = `Kontor/${version}`

/** Sends the changes of all workspaces to their webhooks, on a thread that runs while there are any. */
export function startWebhooks(store: Store, hub: ChangeHub, given: Omit<WebhookInput, 'userAgent'>): Webhooks {
  const reports = new WebhookReports(store)
  const following = follow(store, hub, reports, (onEnd) => startSenderThread({ ...given, userAgent }, reports, onEnd))
  const timer = setInterval(following.lookAgain, lookMs)
  return {
    stop() {
      clearInterval(timer)
      return following.stop()
    },
  }
}

/** How the event loop sends. */
interface SendingHere extends Pick<SenderOptions, 'resources' | 'attempt'>, Partial<Pick<SenderOptions, 'random'>> {}

/** Sends on the event loop: threads cannot share a database in memory. */
export function startWebhooksHere(store: Store, hub: ChangeHub, sending: SendingHere): WebhooksHere {
  const reports = new WebhookReports(store)
  let sender: Sender | undefined
  const following = follow(store, hub, reports, () => {
    sender = new Sender({
      eventTypes,
      random: Math.random,
      ...sending,
      userAgent,
      read: (workspaceId, run) => run(workspaceId === undefined ? store.access : store.workspace(workspaceId)),
      report: (report) => reports.add(report),
      now: () => store.clock.now(),
    })
    sender.start()
    return sender
  })
  return {
    stop: following.stop,
    async idle() {
      await following.tellAll()
      await sender?.idle()
    },
  }
}

interface Following extends Webhooks {
  /** Tells the sender of all changes so far. */
  tellAll(): Promise<void>
  /** Looks for webhooks of companies that another process may have added. */
  lookAgain(): void
}

/** Tells a sender which changes are on disk, and which workspaces have other webhooks than before. */
function follow(
  store: Store,
  hub: ChangeHub,
  reports: WebhookReports,
  start: (onEnd: () => void) => SenderControl,
): Following {
  /** By workspace that has active webhooks. */
  const watched = new Map<number, { tell: () => Promise<void>; end: () => void }>()
  let sender: SenderControl | undefined
  let ending: Promise<void> | undefined
  const stopping = new AbortController()
  const removal = startRemoval(store)
  store.listen(webhooksChanged, (workspaceId) => {
    look()
    sender?.load(workspaceId)
  })
  let version = store.accessVersion
  look()
  return {
    lookAgain() {
      attempt(() => {
        if (version === store.accessVersion) return
        look()
        version = store.accessVersion
      })
    },
    async tellAll() {
      await Promise.all([...watched.values()].map(({ tell }) => tell()))
    },
    async stop() {
      stopping.abort()
      for (const { end } of watched.values()) end()
      await Promise.all([ending, sender?.stop(), reports.close(), removal.stop()])
      await reports.close() // of what the sender has reported last
    },
  }

  /** Watches the workspaces that have active webhooks. A sender runs while there are any. */
  function look(): void {
    if (stopping.signal.aborted) return
    const active = new Set(listWorkspaces(store.access))
    for (const [workspaceId, { end }] of watched) {
      if (active.has(workspaceId)) continue
      end()
      watched.delete(workspaceId)
    }
    if (ending) return
    if (active.size > 0) sender ??= begin()
    else if (sender) ending = beginLater(sender.stop())
    for (const workspaceId of active) if (!watched.has(workspaceId)) watch(workspaceId)
  }

  function begin(): SenderControl {
    const begun = start(() => {
      if (sender === begun) startAgain()
    })
    return begun
  }

  /** The next sender begins when everything that this one has reported is stored: it would send it again. */
  async function beginLater(ended: Promise<unknown>): Promise<void> {
    sender = undefined
    await ended
    await reports.drained()
    ending = undefined
    if (!attempt(look)) ending = beginLater(restartDelay())
  }

  function restartDelay(): Promise<void> {
    return delay(restartMs, undefined, stopping).catch(() => {})
  }

  function watch(workspaceId: number): void {
    const watcher = { workspaceId, latest: 0, wake: () => void tell(), check }
    const reader = store.workspace(workspaceId)
    let version = store.accessVersion
    let isIncluded = includesWebhooks(reader)
    watched.set(workspaceId, { tell, end: hub.watch(watcher) })

    async function tell(): Promise<void> {
      try {
        checkPlan()
        const latest = latestOf(reader)
        watcher.latest = latest
        await store.changesSynced(workspaceId, latest)
        sender?.changed(workspaceId, latest)
      } catch (error) {
        watcher.latest = 0 // the next check wakes it again
        log('changes could not be passed on to webhooks', errorFields(error), 'error')
      }
    }

    function check(): void {
      try {
        checkPlan()
      } catch (error) {
        log('the plan of webhooks could not be read', errorFields(error), 'error')
      }
    }

    function checkPlan(): void {
      if (version === store.accessVersion) return
      const isNowIncluded = includesWebhooks(reader)
      version = store.accessVersion
      if (isIncluded !== isNowIncluded) sender?.load(workspaceId)
      isIncluded = isNowIncluded
    }
  }

  /** The sender has failed. What it has not reported is sent again. */
  function startAgain(): void {
    for (const { end } of watched.values()) end()
    watched.clear()
    ending = beginLater(restartDelay())
  }
}

/** Returns false if the database cannot be read now. */
function attempt(read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    log('webhooks could not be read', errorFields(error), 'error')
    return false
  }
}
