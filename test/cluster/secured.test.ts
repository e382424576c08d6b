import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { at, keyAt, type Node, startNode, until } from '../support/cluster.ts'
import { bundle, run } from '../support/program.ts'
import { withoutEtcd } from '../support/real-etcd.ts'
import { startSecuredEtcd } from '../support/secured-etcd.ts'

const path = '/api-v1-organizations'

test('Servers share a log in an etcd with TLS, client certificates, and a user of one prefix', {
  skip: withoutEtcd,
}, async (t) => {
  const { url, args, restart } = await startSecuredEtcd(t)
  const leader = await startNode(t, url, { args })
  const client = await keyAt(leader)
  const follower = await startNode(t, url, { args })
  const create = async (name: string) => {
    const response = await client.post(path, { name })
    assert.equal(response.status, 201, JSON.stringify(response.body))
    return { id: response.body.data.id, position: response.headers.get('kontor-position')! }
  }

  await create('First')
  await delay(2_500) // the user's token expires after a second without use
  await create('Second')
  await restart() // tokens do not survive
  await until(async () => (await client.post(path, { name: 'Any' })).status === 201, 'writes are acknowledged again')
  const { id, position } = await create('Third')

  const options = ['log', '--data', leader.directory]
  assert.match((await run(bundle, options, { cwd: '/' })).stdout, new RegExp(follower.url))
  const read = await at(follower, client).get(`${path}/${id}`, { 'Kontor-Min-Position': position })
  assert.equal(read.status, 200)
})

test('A server that may not use the log says why it waits', { skip: withoutEtcd }, async (t) => {
  const { url, args } = await startSecuredEtcd(t)
  const says = (node: Node, reason: RegExp) => until(() => node.lines.some((line) => reason.test(line)), `${reason}`)

  const elsewhere = await startNode(t, url.replace('/kontor', '/other'), { args, wait: false })
  const unnamed = await startNode(t, url, { args: args.slice(0, args.indexOf('--log-user')), wait: false })
  const untrusting = await startNode(t, url, { args: args.slice(args.indexOf('--log-cert')), wait: false })

  await says(elsewhere, /permission denied/)
  await says(unnamed, /permission denied/)
  await says(untrusting, /self-signed certificate/)
  await delay(2_000)
  for (const node of [elsewhere, unnamed, untrusting]) assert.ok(node.lines.length <= 2, node.lines.join('\n'))
})
