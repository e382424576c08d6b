import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { start } from '../../support/start.ts'
import { addWebhook, webhooksPath } from './webhooks.ts'

const url = 'https://example.com/hook'

for (const [refused, reason] of [
  ['ftp://example.com', /http or https/],
  ['https://', /http or https/],
  ...[' https://example.com/hook', 'https://example.com/hook ', '\thttps://example.com/', 'https://example.com/\n'].map(
    (text) => [text, /http or https/] as const,
  ),
  ...[
    'https://exa\tmple.com/',
    'https://example.com/a b',
    'https://example.com/\x01',
    'https://example.com\\@a.de/',
  ].map((text) => [text, /http or https/] as const),
  ['https:/example.com/', /http or https/],
  ['https:example.com', /http or https/],
  ['https:///example.com', /http or https/],
  ['https://exa\u200bmple.com/', /absolute URL/],
  ['https://example.com/\u202etxt', /absolute URL/],
  ['https://ada:secret@example.com/', /user name/],
  ['https://@example.com/', /user name/],
  ['http://example.com/hook', /https/],
  ['https://10.0.0.1/hook', /reserved|private/],
  ['https://localhost/hook', /reserved|private/],
  ['https://localhost../', /can exist/],
  ['https://a..b/', /can exist/],
  ['https://hooks.invalid/', /can exist/],
  [`https://${'x'.repeat(64)}.example/`, /can exist/],
  [`https://${'abcdefg.'.repeat(32)}example/`, /can exist/],
  [`https://example.com/${'x'.repeat(2_048)}`, /2048 characters/],
] as const) {
  test(`A webhook cannot have the url ${JSON.stringify(refused.slice(0, 40))}`, async (t) => {
    const client = await (await start(t)).client()
    const { id } = await addWebhook(client, url)

    const created = await client.post(webhooksPath, { url: refused, events: ['*'] })
    const patched = await client.patch(`${webhooksPath}/${id}`, { url: refused })

    for (const response of [created, patched]) {
      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['url'])
      assert.match(response.body.error.message, reason)
    }
  })
}

test('A webhook can have any URL that can be delivered to, as it was given', async (t) => {
  const client = await (await start(t)).client()
  const accepted = [
    ...['https://müller.example/hook', 'https://例え.jp/', 'https://example.com/größe', 'HTTPS://Example.COM/X'],
    ...['https://example.com/?tags[]=a&b={x}', 'https://example.com/a|b', 'https://example.com/?x="y"'],
    'https://example.com/a^b`c',
  ]

  for (const url of accepted) assert.equal((await addWebhook(client, url)).url, url)
})
