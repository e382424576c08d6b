import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchBase } from '../../src/cluster/fetch-base.ts'
import type { Member } from '../../src/cluster/member.ts'
import { reportUsage } from '../../src/cluster/report-usage.ts'
import { giveMailTo } from '../../src/commands/give-mail.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'

test('What a server asks a leader is below the path that the leader advertises', async (t) => {
  const paths: (string | undefined)[] = []
  const proxy = createServer(({ url }, res) => {
    paths.push(url?.split('?')[0])
    res.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  t.after(() => proxy.close())
  await once(proxy, 'listening')
  const { store } = await start(t)
  const file = join(temporaryDirectory(t), 'file')
  writeFileSync(file, '')
  const { signal } = new AbortController()

  for (const end of ['', '/']) {
    const leaderUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/crm${end}`
    const member = { isLeader: false, leaderUrl } as Member
    await assert.rejects(reportUsage({ member, store, secret: '', node: '' }, [], 'batch'), /503/)
    await assert.rejects(giveMailTo(() => leaderUrl)(file, 'a@in.kontor.example', signal), /503/)
    await assert.rejects(fetchBase(leaderUrl, file, { log: '', secret: '' }), /503/)
  }

  const each = ['/crm/cluster/usage', '/crm/mail/in', '/crm/cluster/base']
  assert.deepEqual(paths, [...each, ...each])
})

test('A server that copies the database of a leader follows no redirect', async (t) => {
  let asked = 0
  const leader = createServer((_, res) => {
    asked++
    res.writeHead(307, { Location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  t.after(() => leader.close())
  await once(leader, 'listening')
  const { port } = leader.address() as AddressInfo

  const copying = fetchBase(`http://127.0.0.1:${port}`, join(temporaryDirectory(t), 'file'), { log: '', secret: '' })

  await assert.rejects(copying, /cannot be reached/)
  assert.equal(asked, 1)
})
