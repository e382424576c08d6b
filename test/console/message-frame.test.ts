import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverMail, mailDomain, newAddress, rawMail, startWithMail } from '../features/mail/mails.ts'
import { assertError, send } from '../support/client.ts'
import { openMailbox } from '../support/mailbox.ts'
import { newColleague, type Visitor } from '../support/visitor.ts'

const framed = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }
const remote = '<img alt="x" data-remote-src="https://pictures.example/x.png" />'

/** Requests a frame as a browser does. */
function frame(url: string, { cookie }: Visitor, path: string, headers: Record<string, string> = framed) {
  return send(`${url}/console/message-frame/${path}`, { headers: { Cookie: cookie!, ...headers } })
}

test('A frame with a mail runs nothing, reaches nothing, and loads remote pictures only on request', async (t) => {
  const { server, owner, deliver } = await openMailbox(t)
  const id = await deliver({ html: `<p>Say data-remote-src="x"</p>${remote}` })

  const [plain, asked, again] = [
    await frame(server.url, owner, `live/${id}`),
    await frame(server.url, owner, `live/${id}?remote=1`),
    await frame(server.url, owner, `live/${id}`),
  ]

  const policyOf = ({ headers }: typeof plain) => headers.get('content-security-policy')!.split('; ')
  const common = [
    ...['sandbox allow-popups allow-popups-to-escape-sandbox', "default-src 'none'", "style-src 'unsafe-inline'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"],
  ]
  assert.deepEqual(policyOf(plain).sort(), [...common, 'img-src data:'].sort())
  assert.deepEqual(policyOf(asked).sort(), [...common, 'img-src data: http: https:'].sort())
  assert.deepEqual(policyOf(again), policyOf(plain))
  for (const { status, headers, body } of [plain, asked]) {
    assert.equal(status, 200)
    assert.match(String(body), /<p>Say data-remote-src="x"<\/p>/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
  assert.ok(String(plain.body).includes(remote))
  assert.match(String(asked.body), /<img alt="x" src="https:\/\/pictures\.example\/x\.png" \/>/)
})

test('A frame with a mail contains the pictures that are attached, and nothing of another type', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  assert.ok(address.endsWith(mailDomain))
  const part = (id: string, type: string) =>
    `--x\r\nContent-Type: ${type}; name=${id}\r\nContent-ID: <${id}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa(id)}\r\n`
  const html = '--x\r\nContent-Type: text/html\r\n\r\n<img src="cid:a"><img src="cid:b">\r\n'
  const body = `${html}${part('a', 'image/png')}${part('b', 'image/svg+xml')}--x--\r\n`
  const mail = rawMail({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/related; boundary=x' }, body)
  const path = `/api-v1-messages?address=${address}`
  const sent = await client.request('POST', path, {
    headers: { 'Content-Type': 'message/rfc822' },
    body: mail as never,
  })
  const ada = await newColleague(server, 'member')

  const { body: shown } = await frame(server.url, ada, `live/${sent.body.data.id}`)

  const sources = [...String(shown).matchAll(/<img([^>]*)>/g)].map(([, attributes]) => attributes!.trim())
  assert.deepEqual(sources, [`src="data:image/png;base64,${btoa('a')}" /`, '/'])
})

test('A frame contains at most 8 MiB of pictures, however often a mail shows one', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const picture = Buffer.alloc(2 * 2 ** 20).toString('base64')
  const html = `--x\r\nContent-Type: text/html\r\n\r\n${'<img src="cid:a">'.repeat(50)}\r\n`
  const head = 'Content-Type: image/png; name=a\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64'
  const body = `${html}--x\r\n${head}\r\n\r\n${picture.replace(/.{76}/g, '$&\r\n')}\r\n--x--\r\n`
  const mail = rawMail({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/related; boundary=x' }, body)
  const { id } = (await deliverMail(client, address, mail)).body.data
  const ada = await newColleague(server, 'member')

  const { body: shown } = await frame(server.url, ada, `live/${id}`)

  assert.equal(String(shown).split('src="data:').length - 1, 2)
  assert.ok(String(shown).length <= 8.1 * 2 ** 20)
})

test('A frame shows a mail only to who sees it, in its workspace, and only to the console', async (t) => {
  const { server, owner, ada, bob, personal, deliver } = await openMailbox(t)
  const id = await personal({ html: '<p>Secret</p>' })
  const plain = await deliver()

  assert.match(String((await frame(server.url, ada, `live/${id}`)).body), /Secret/)
  for (const [user, path] of [
    ...[[bob, `live/${id}`] as const, [owner, `live/${id}`] as const, [ada, `test/${id}`] as const],
    ...[[ada, `live/${plain}`] as const, [ada, 'live/x'] as const],
  ])
    assertError(await frame(server.url, user, path), 404, 'NOT_FOUND')
  const foreign: Record<string, string>[] = [
    { ...framed, 'Sec-Fetch-Site': 'cross-site' },
    { ...framed, 'Sec-Fetch-Site': 'none' },
    { ...framed, 'Sec-Fetch-Dest': 'document' },
    { Origin: 'https://evil.example' },
  ]
  for (const headers of foreign) assertError(await frame(server.url, ada, `live/${id}`, headers), 401, 'UNAUTHORIZED')
  assertError(await frame(server.url, { ...ada, cookie: 'x=y' }, `live/${id}`), 401, 'UNAUTHORIZED')
  assertError(await frame(server.url, ada, `other/${id}`), 401, 'UNAUTHORIZED')
  assertError(
    await send(`${server.url}/console/message-frame/live/${id}`, {
      method: 'POST',
      headers: { Cookie: ada.cookie!, ...framed },
    }),
    405,
    'INVALID_REQUEST',
  )
})

test('A frame with a mail that has hundreds of thousands of tags without an end is served as it is', async (t) => {
  const { server, owner, deliver } = await openMailbox(t)
  const html = '<img '.repeat(400_000)
  const id = await deliver({ html: `${remote}${html}` })

  const { status, body } = await frame(server.url, owner, `live/${id}?remote=1`)

  assert.equal(status, 200)
  assert.ok(String(body).includes(`${remote.replace('data-remote-src', 'src')}${html}`))
})
