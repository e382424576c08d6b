import { test } from 'node:test'
import { workspacesOf } from '../../../src/changes/readers/log-reader.ts'
import { latestOf } from '../../../src/changes/stored-change.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { webhookReader } from '../../../src/features/webhooks/log-reader.ts'
import { Sender } from '../../../src/features/webhooks/sender/sender.ts'
import type { Sent } from '../../../src/features/webhooks/transport/attempt.ts'
import { eventTypes } from '../../../src/features/webhooks/webhook.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { addWebhook } from './webhooks.ts'

const companies = 20
const webhooksPerCompany = 20
/** The number of outcomes that may wait for the disk. */
const unstoredMax = 256

test('Every change is sent after a time in which the disk was slow', async (t) => {
  const { store, client: newClient } = await start(t)
  for (let company = 0; company < companies; company++) {
    const client = await newClient()
    for (let n = 0; n < webhooksPerCompany; n++) await addWebhook(client, `https://example.com/${n}`)
    await make(client, 'organization')
  }
  const disk = Promise.withResolvers<void>()
  const sent: string[] = []
  const sender = new Sender({
    resources: loggedResources,
    eventTypes,
    userAgent: 'test',
    read: (workspaceId, run) => run(store.workspace(workspaceId)),
    report: () => disk.promise,
    async attempt({ url }): Promise<Sent> {
      sent.push(url)
      return { status: 204, ms: 1, response: null, error: null, retryAfterMs: null }
    },
    now: Date.now,
    random: Math.random,
  })
  t.after(() => sender.stop())

  for (const workspaceId of workspacesOf(webhookReader, store.access)) {
    sender.load(workspaceId)
    sender.changed(workspaceId, latestOf(store.workspace(workspaceId)))
  }
  await until('there are as many requests as may be unstored', () => sent.length, {
    is: (count) => count >= unstoredMax,
  })
  disk.resolve()

  await until('each webhook has sent a request', () => sent.length, {
    is: (count) => count === companies * webhooksPerCompany,
  })
})
