import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertKey } from '../../src/access/key.ts'
import { clientFor } from '../support/client.ts'
import { start } from '../support/start.ts'
import { exchangeCompany } from './company-files.ts'

test('A stage of a company file that requires members that every object has refuses no deal with an unexpected error', async (t) => {
  const { sender, target, changed, ...exchange } = await exchangeCompany(t)
  const names = '["constructor", "__proto__", "people"]'
  await exchange.import(changed(`UPDATE stage SET requires = '${names}'`))
  const { url, store } = await start(t, { directory: target })
  const given = { companyId: sender.company, environment: 'live', name: 'Test', scopes: ['admin:all'] } as const
  const client = clientFor(url, await store.writeAccess((tx) => insertKey(tx, { ...given, scopes: [...given.scopes] })))

  const { status, body } = await client.post('/api-v1-deals', { title: 'Hampers' })

  assert.equal(status, 400)
  assert.deepEqual(
    body.error.details.map(({ field }: { field: string }) => field),
    ['people'],
  )
})

test('A company file with more secrets of a webhook than sign a delivery, or with none, is refused', async (t) => {
  const { changed, assertRefused } = await exchangeCompany(t)
  const repeated = "rtrim(replace('xxxxxx', 'x', substr(secrets, 2, length(secrets) - 2) || ','), ',')"

  for (const secrets of [`'[' || ${repeated} || ']'`, "'[]'"])
    await assertRefused(
      changed(`UPDATE webhook_state SET secrets = ${secrets}`),
      /the webhook .* cannot be delivered to/,
    )
})
