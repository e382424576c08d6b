import type { TestContext } from 'node:test'
import { workspacesOf } from '../../../src/changes/readers/log-reader.ts'
import { latestOf } from '../../../src/changes/stored-change.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { webhookReader } from '../../../src/features/webhooks/log-reader.ts'
import { Sender } from '../../../src/features/webhooks/sender/sender.ts'
import type { SenderOptions } from '../../../src/features/webhooks/sender/sender-options.ts'
import type { Sent } from '../../../src/features/webhooks/transport/attempt.ts'
import { eventTypes } from '../../../src/features/webhooks/webhook.ts'
import type { Store } from '../../../src/store/store.ts'

/** A sender whose every delivery succeeds, to the URLs in `sent`. `begin` makes it deliver the changes of all workspaces. */
export function ownSender(t: TestContext, store: Store, given: Partial<SenderOptions>) {
  const ids = workspacesOf(webhookReader, store.access)
  const sent: string[] = []
  const sender = new Sender({
    resources: loggedResources,
    eventTypes,
    userAgent: 'test',
    read: (workspaceId, run) => run(store.workspace(workspaceId)),
    report: async () => {},
    async attempt({ url }): Promise<Sent> {
      sent.push(url)
      return { status: 204, ms: 1, response: null, error: null, retryAfterMs: null }
    },
    now: Date.now,
    random: Math.random,
    ...given,
  })
  t.after(() => sender.stop())
  const begin = () => {
    for (const id of ids) {
      sender.load(id)
      sender.changed(id, latestOf(store.workspace(id)))
    }
  }
  return { sender, ids, sent, begin }
}
