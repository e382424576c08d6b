import { test } from 'node:test'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { ownSender } from './own-sender.ts'
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
  const { sent, begin } = ownSender(t, store, { report: () => disk.promise })

  begin()
  await until('there are as many requests as may be unstored', () => sent.length, {
    is: (count) => count >= unstoredMax,
  })
  disk.resolve()

  await until('each webhook has sent a request', () => sent.length, {
    is: (count) => count === companies * webhooksPerCompany,
  })
})
