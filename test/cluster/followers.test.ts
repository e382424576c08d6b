import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { administerHere } from '../support/command.ts'
import { bundle, run } from '../support/program.ts'
import { password, visit } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { caughtUp, keyAt } from './cluster.ts'
import { testThree } from './three.ts'

const path = '/api-v1-organizations'

testThree('Followers of a log', {
  async 'A follower answers every kind of read: lists, search, sums, exports, the log of changes, snapshots and streams'(
    three,
  ) {
    const [leader, follower] = await three.whole()
    const client = await keyAt(leader)
    const created = await client.post(path, { name: 'Südwind' })
    const { body } = created
    const there = await caughtUp(follower, client, created)

    const reads = [
      ...[
        `${path}/${body.data.id}`,
        `${path}?search=sud`,
        `${path}/${body.data.id}/history`,
        '/api-v1-search?q=sudwind',
      ],
      ...[
        `${path}/summary?measures=count`,
        '/api-v1-changes?after=start',
        '/api-v1-trash',
        '/api-v1-keys',
        '/api-v1-me',
      ],
    ]
    for (const each of reads) {
      const { status, headers: found } = await there.get(each)
      assert.deepEqual([each, status], [each, (await client.get(each)).status])
      assert.ok(found.has('kontor-position'), each)
    }
    const exported = await there.request('GET', path, { headers: { Accept: 'text/csv' } })
    assert.match(exported.body, /Südwind/)
    const stream = await fetch(`${follower.url}/api-v1-changes?after=now`, {
      headers: { Authorization: `Bearer ${client.key}`, Accept: 'text/event-stream' },
    })
    const events = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await client.post(path, { name: 'Westwind' })
    let seen = ''
    while (!seen.includes('Westwind')) seen += (await events.read()).value ?? assert.fail('the stream ended')
    await events.cancel()
  },

  async 'A user who is signed in reads the console at a follower, and what a key reads there counts as its use'(three) {
    const [leader, follower] = await three.whole()
    const client = await keyAt(leader)
    const { id: companyId } = (await client.get('/api-v1-me')).body.data.company
    const options = ['--company', companyId, '--email', 'ada@acme.example', '--name', 'Ada', '--role', 'owner']
    await run(bundle, ['user', 'create', ...options, '--password-stdin', '--data', leader.directory], {
      input: password,
    })
    const user = visit(leader.url)
    const entered = await user.post('/console/session', { email: 'ada@acme.example', password })
    const elsewhere = visit(follower.url)
    elsewhere.cookie = user.cookie
    const there = await caughtUp(follower, client, entered)

    const session = await elsewhere.get('/console/session')
    const together = await elsewhere.get(`/console/read?get=${path}&get=/api-v1-deals`)
    const signOut = await elsewhere.delete('/console/session')
    for (let n = 0; n < 7; n++) await there.get(path)

    assert.deepEqual([entered.status, session.status, together.status], [201, 200, 200])
    assert.deepEqual([signOut.status, signOut.headers.get('kontor-leader')], [503, leader.url])
    await until('the requests at the follower are counted', async () => {
      const { keys } = await administerHere('key', 'list', '--company', companyId, '--data', leader.directory)
      return keys[0].request_count >= 7
    })
  },

  async 'A commit that is larger than an entry of the log is written in parts, and followed as one'(three) {
    const [leader, follower] = await three.whole()
    const client = await keyAt(leader)
    const records = Array.from({ length: 200 }, (_, n) => ({
      first_name: `Contact ${n}`,
      metadata: { text: randomBytes(15_000).toString('base64') },
    }))

    const { status, headers } = await client.post('/api-v1-bulk/contacts', { records })
    const sizes = [...three.etcd.keys].filter(([key]) => key.includes('/parts/')).map(([, { value }]) => value.length)
    const job = headers.get('location')!
    await until('the import has ended', async () => (await client.get(job)).body.data.status, {
      is: (status) => status === 'completed',
    })
    const there = await caughtUp(follower, client, await client.get(job))
    const read = await there.get('/api-v1-contacts?limit=1')

    assert.equal(status, 202)
    assert.ok(sizes.length > 0 && Math.max(...sizes) <= 2 ** 20, 'no entry is larger than 1 MiB')
    assert.ok(sizes.filter((size) => size === 2 ** 20).length > 0, 'the job was larger than one entry')
    assert.equal(read.body.pagination.total, 200)
  },
})
