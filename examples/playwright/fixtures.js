import { once } from 'node:events'
import { test as base } from '@playwright/test'
import { startSandbox } from 'kontor/test'
import { createApp } from '../app/leads.js'

export { expect } from '@playwright/test'

export const test = base.extend({
  /** One for each worker. */
  sandbox: [
    async ({}, use) => {
      const sandbox = await startSandbox()
      await use(sandbox)
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
  /** A fork for each test. */
  crm: async ({ sandbox }, use) => {
    const fork = await sandbox.fork()
    await use(fork)
    await fork.close()
  },
  /** The page under test, which stores its leads in the fork. */
  baseURL: async ({ crm }, use) => {
    const app = createApp(crm).listen(0, '127.0.0.1')
    await once(app, 'listening')
    await use(`http://127.0.0.1:${app.address().port}`)
    app.close()
    app.closeAllConnections()
  },
})
