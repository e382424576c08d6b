import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { ownSender } from './own-sender.ts'
import { addWebhook } from './webhooks.ts'

const changes = 30
const brokenUrl = 'https://broken.example.com'

/** A sender of two workspaces with many changes. The first one is read with `readBroken`. */
async function openSender(t: TestContext, readBroken: (run: () => unknown) => unknown) {
  const { store, client: newClient } = await start(t)
  for (const url of [brokenUrl, 'https://example.com']) {
    const client = await newClient()
    await addWebhook(client, url)
    for (let n = 0; n < changes; n++) await make(client, 'organization')
  }
  const { sender, ids, sent, begin } = ownSender(t, store, {
    read(workspaceId, run) {
      const read = () => run(store.workspace(workspaceId))
      return (workspaceId === ids[0] ? readBroken(read) : read()) as ReturnType<typeof run>
    },
  })
  const sentTo = (url: string) => sent.filter((each) => each.startsWith(url)).length
  return { sender, begin, brokenId: ids[0]!, sentTo }
}

test('Changes that cannot be read do not keep the webhooks of others back, and are read again after growing pauses', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let [isBroken, failures] = [false, 0]
  const { sender, begin, brokenId, sentTo } = await openSender(t, (run) => {
    if (!isBroken) return run()
    failures++
    throw new Error('unreadable')
  })
  sender.load(brokenId)
  isBroken = true

  begin()
  await sender.idle(({ url }) => url !== brokenUrl)

  assert.equal(sentTo('https://example.com'), changes)
  const countAfter = (ms: number) => {
    t.mock.timers.tick(ms)
    return failures
  }
  const first = failures
  assert.ok(first <= 2, `it was read ${first} times: once for the webhooks, and once for their changes`)
  assert.deepEqual([countAfter(900), countAfter(100), countAfter(1_900)], [first, first + 2, first + 2])
  isBroken = false
  t.mock.timers.tick(100)
  await sender.idle(() => true)
  assert.equal(sentTo(brokenUrl), changes)
})
