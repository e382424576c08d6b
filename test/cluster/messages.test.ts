import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { withStore } from '../../src/commands/open-store.ts'
import { openStreamAs, type Stream } from '../changes/events.ts'
import { deliverMail, newAddress, rawMail } from '../features/mail/mails.ts'
import { exchange } from '../support/exchange.ts'
import { testUnless } from '../support/needs.ts'
import { startS3 } from '../support/s3-server.ts'
import { newColleague, type Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { keyAt, leaderOf, type Node, startNode } from './cluster.ts'
import { startEtcd, withoutEtcd } from './real-etcd.ts'

const secret = 'zeppelin'

type Headers = Readonly<Record<string, string>>

/** Reads that show a message, or its file, to whoever may see it. */
function readsOf(message: string, file: string, thread: string, seq: number): [path: string, headers?: Headers][] {
  return [
    ...['', '?include=files', '/html', '/original', '/history', `?as_of=${seq}`].map((rest): [string] => [
      `/api-v1-messages/${message}${rest}`,
    ]),
    ...['', '/content', '/history'].map((rest): [string] => [`/api-v1-files/${file}${rest}`]),
    ...['', '?q=zeppelin', '?is_waiting=true', `?thread_id=${thread}`].map((rest): [string] => [
      `/api-v1-messages${rest}`,
    ]),
    ['/api-v1-messages', { Accept: 'text/csv' }],
    ['/api-v1-messages/summary?group_by=audience'],
    ['/api-v1-files'],
    ['/api-v1-search?q=zeppelin'],
    ['/api-v1-snapshot?types=message,file'],
    ['/console/read?get=/api-v1-messages'],
    ['/api-v1-changes?after=start'],
    [`/api-v1-changes?record_id=${message}`],
    [`/api-v1-changes?record_id=${file}`],
  ]
}

/** A leader and a follower that share real etcd and S3 and take mail, with users who are signed in and a shared key. */
async function openCluster(t: TestContext) {
  const [[etcd], s3] = [await startEtcd(t, 1), await startS3(t)]
  const log = `etcd://127.0.0.1:${etcd!.port}`
  const options = { env: s3.env, args: ['--mail-domain', 'in.kontor.example'] }
  const leader = await startNode(t, log, options)
  await leaderOf([leader])
  const follower = await startNode(t, log, options)
  const client = await keyAt(leader)
  const enter = (role: 'admin' | 'member', email: string) =>
    withStore(leader.directory, (store) => newColleague({ url: leader.url, store }, role, email))
  const cookieOf = ({ cookie }: Visitor) => ({ Cookie: cookie!, 'Kontor-Environment': 'live' })
  const ada = await enter('member', 'ada@acme.example')
  const others: Record<string, Headers> = {
    bob: cookieOf(await enter('member', 'bob@acme.example')),
    admin: cookieOf(await enter('admin', 'eve@acme.example')),
    key: { Authorization: `Bearer ${client.key}` },
  }
  return { leader, follower, client, ada, hers: cookieOf(ada), others }
}

/** What a server answers when it has reached a position. Whatever differs in any two responses is left out. */
async function readAt({ url }: Node, position: string, caller: Headers, [path, headers]: [string, Headers?]) {
  const asked = { ...caller, ...headers, 'Kontor-Min-Position': position }
  const read = () => exchange(url + path, { headers: asked })
  const { status, text } = await until(`${url} has position ${position}`, read, { is: (seen) => seen.status !== 503 })
  return { status, text: text.replaceAll(/"(request_id|cursor|next_cursor)":"[^"]*"/g, '"$1":"-"') }
}

testUnless(withoutEtcd)(
  'A follower shows a message and its changes to those who may see it at its position, and nothing of it to others',
  async (t) => {
    const { leader, follower, client, ada, hers, others } = await openCluster(t)
    const open = () => openStreamAs(t, follower.url, others.bob!, '?after=now')
    const onceKnown = () => open().catch((error: Error) => void assert.match(error.message, /^401 /))
    const stream = (await until('the follower has the session', onceKnown)) as Stream
    const { address } = await newAddress(client, { audience: 'participants' })
    const delivered = await deliverMail(client, address, offer())
    const stored = delivered.headers.get('kontor-position')!
    const list = await readAt(follower, stored, hers, ['/api-v1-messages?include=files'])
    const [message] = JSON.parse(list.text).data
    const names = [message.id, message.files[0].id, message.thread_id]
    const history = await readAt(follower, stored, hers, [`/api-v1-messages/${message.id}/history`])
    const reads = readsOf(message.id, message.files[0].id, message.thread_id, JSON.parse(history.text).data[0].seq)
    const isTrace = new RegExp([secret, ...names].join('|'))
    /** What both servers answer to each read, which must be the same. */
    const ask = async (position: string, who: string, caller: Headers) => {
      const answers = []
      for (const read of reads) {
        if (who === 'key' && read[0].startsWith('/console')) continue
        const { status, text } = await readAt(follower, position, caller, read)
        const what = `${read[0]} for ${who}: ${status} ${text}`
        assert.deepEqual({ status, text }, await readAt(leader, '0', caller, read), what)
        answers.push({ what, status, text, isFeed: read[0].startsWith('/api-v1-changes') })
      }
      return answers
    }
    const assertSeen = async (position: string, who: string, caller: Headers) => {
      for (const { what, status, text } of await ask(position, who, caller))
        assert.ok(status === 200 && (isTrace.test(text) || text.includes('"count":1')), what)
    }
    const assertHidden = async (position: string, { wasSeen = false } = {}) => {
      for (const [who, caller] of Object.entries(others)) {
        for (const { what, text, isFeed } of await ask(position, who, caller)) {
          const trace = wasSeen && isFeed ? new RegExp(secret) : isTrace // the feed says that it is gone
          assert.ok(!trace.test(text) && !text.includes('"count":1'), what)
        }
      }
    }
    const show = async (audience: string) => {
      const { status, headers } = await ada.patch(`/api-v1-messages/${message.id}`, { audience })
      assert.equal(status, 200)
      return headers.get('kontor-position')!
    }

    assert.deepEqual([delivered.status, delivered.body.data], [201, { id: null }])
    await assertSeen(stored, 'ada', hers)
    await assertHidden(stored)

    const shown = await show('team')
    for (const [who, caller] of Object.entries(others)) await assertSeen(shown, who, caller)
    const revealed = await eventOf(stream, message.id)

    const hidden = await show('participants')
    await assertHidden(hidden, { wasSeen: true })
    await assertSeen(hidden, 'ada', hers)
    const gone = await eventOf(stream, message.id)
    assert.deepEqual([revealed.type, revealed.data.subject], ['message.updated', secret])
    assert.deepEqual([gone.type, gone.data, gone.actor], ['message.deleted', null, null])
  },
)

function offer(): string {
  const parts = [
    `--b\r\nContent-Type: text/html\r\n\r\n<p>A ${secret}</p>\r\n`,
    `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${secret}.txt"\r\n\r\n`,
    `A ${secret}\r\n--b--\r\n`,
  ]
  const headers = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' }
  return rawMail({ To: 'ada@acme.example', Subject: secret, ...headers }, parts.join(''))
}

/** The next event of a record in a stream. */
async function eventOf(stream: Stream, id: string) {
  for (;;) {
    const { data } = await stream.next()
    if (data.record_id === id) return data
  }
}
