import type { ChangeHub } from '../../changes/hub.ts'
import { followLog } from '../../changes/readers/follow-log.ts'
import { version } from '../../packaging/embedded.ts'
import type { Store } from '../../store/store.ts'
import { team } from '../../store/visibility.ts'
import { webhookReader } from './log-reader.ts'
import { startRemoval } from './remove-deliveries.ts'
import { Sender } from './sender/sender.ts'
import type { SenderOptions } from './sender/sender-options.ts'
import { startSenderThread } from './sender-thread.ts'
import type { WebhookInput } from './thread-messages.ts'
import { eventTypes } from './webhook.ts'

interface Webhooks {
  stop(): Promise<void>
}

export interface WebhooksHere extends Webhooks {
  /** Resolves when everything that is due now has been attempted and stored, of the webhooks that are meant; default: of all. */
  idle(isMeant?: (webhook: { url: string }) => boolean): Promise<void>
}

const userAgent = `Kontor/${version}`

/** Sends the changes of all workspaces to their webhooks, on a thread that runs while there are any. */
export function startWebhooks(store: Store, hub: ChangeHub, given: Omit<WebhookInput, 'userAgent'>): Webhooks {
  const removal = startRemoval(store)
  const following = followLog(store, hub, webhookReader, {
    start: (reports, onEnd) => startSenderThread({ ...given, userAgent }, reports, onEnd),
    looks: true,
  })
  return { stop: () => stopAll(following, removal) }
}

/** How the event loop sends. */
interface SendingHere extends Pick<SenderOptions, 'resources' | 'attempt'>, Partial<Pick<SenderOptions, 'random'>> {}

/** Sends on the event loop: threads cannot share a database in memory. */
export function startWebhooksHere(store: Store, hub: ChangeHub, sending: SendingHere): WebhooksHere {
  const removal = startRemoval(store)
  let sender: Sender | undefined
  const following = followLog(store, hub, webhookReader, {
    start(reports) {
      sender = new Sender({
        eventTypes,
        random: Math.random,
        ...sending,
        userAgent,
        read: (workspaceId, run) => run(store.workspace(workspaceId, { view: team })),
        report: (report) => reports.add(report),
        now: () => store.clock.now(),
      })
      return sender
    },
    looks: false,
  })
  return {
    stop: () => stopAll(following, removal),
    async idle(isMeant = () => true) {
      await following.tellAll()
      await sender?.idle(isMeant)
    },
  }
}

async function stopAll(...running: readonly Webhooks[]): Promise<void> {
  await Promise.all(running.map((each) => each.stop()))
}
