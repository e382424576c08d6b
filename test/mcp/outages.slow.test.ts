import assert from 'node:assert/strict'
import { join } from 'node:path'
import { faultyDisk } from '../store/faulty-disk.ts'
import { attempt } from '../store/log-watch.ts'
import { temporaryDirectory } from '../support/directory.ts'
import type { JsonRecord } from '../support/make.ts'
import { testUnless, withoutCompiler } from '../support/needs.ts'
import { bundle, launch, run } from '../support/program.ts'
import { password, visit } from '../support/visitor.ts'
import { agentFor } from './agent.ts'

const test = testUnless(withoutCompiler)

const proposed = 60
/** The server is killed after this many acknowledged decisions. */
const enough = 20
const deciders = 8

for (const outage of ['kill', 'power cut']) {
  test(`A ${outage} loses no decision about a proposal that was acknowledged, and applies none in part`, async (t) => {
    const directory = temporaryDirectory(t)
    const data = join(directory, 'data')
    const disk = faultyDisk(directory, data)
    const serve = () =>
      launch(t, bundle, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'], { env: disk.env })
    const { first, stop } = await serve()
    const owner = visit(first.url!)
    const token = first.setup_url!.split('#')[1]!
    const user = { full_name: 'Ada Weber', email: 'ada@acme.example', password }
    await owner.post('/console/setup', { token, company_name: 'Acme', ...user })
    const { body } = await owner.post('/api-v1-keys', { name: 'Agent', scopes: ['admin:all'], mcp_mode: 'propose' })
    const agent = agentFor({ url: first.url!, key: body.data.key })
    const contacts: JsonRecord[] = []
    for (let n = 0; n < proposed; n++) {
      const made = await owner.post('/api-v1-contacts', { first_name: 'Ada', last_name: `Weber ${n}` })
      const given = { type: 'contact', id: made.body.data.id, values: { job_title: 'Buyer' } }
      contacts.push({ id: made.body.data.id, proposal: (await agent.use('save_record', given)).proposal.id })
    }

    const acknowledged = new Map<string, string>()
    const left = [...contacts.entries()]
    const decide = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const [number, { proposal }] = next
        const action = number % 2 === 0 ? 'apply' : 'reject'
        const response = await attempt(owner.post(`/api-v1-proposals/${proposal}/${action}`))
        if (!response) return
        assert.equal(response.status, 200)
        acknowledged.set(proposal, response.body.data.status)
        if (acknowledged.size === enough) await stop('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: deciders }, decide))
    if (outage === 'kill') disk.settle()
    else disk.cutPower()

    const again = await serve()
    const reader = Object.assign(visit(again.first.url!), { cookie: owner.cookie })
    assert.ok(acknowledged.size >= enough && acknowledged.size < proposed)
    for (const { id, proposal } of contacts) {
      const { status } = (await reader.get(`/api-v1-proposals/${proposal}`)).body.data
      const { job_title } = (await reader.get(`/api-v1-contacts/${id}`)).body.data
      assert.equal(status, acknowledged.get(proposal) ?? status)
      assert.equal(job_title, status === 'applied' ? 'Buyer' : null)
    }
    await again.stop()
    assert.equal((await run(bundle, ['check', '--data', data])).code, 0)
  })
}
