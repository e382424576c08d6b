import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { ManualDisk } from '../../support/disk.ts'
import { contacts, runBatches, submit } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

for (const what of ['a job', 'the list of jobs']) {
  test(`Progress that ${what} shows is on disk before it is shown`, async (t) => {
    const disk = new ManualDisk()
    const server = await start(t, { durability: disk, work: 'nowhere' })
    const client = await server.client()
    const job = await submit(client, 'contacts', contacts(1))
    const path = what === 'a job' ? job : '/api-v1-bulk/jobs'

    disk.held = true
    const running = runBatches(server.store)
    await disk.syncing()
    let shown = false
    const reading = client.get(path).finally(() => {
      shown = true
    })
    for (let read = 0; read < 10; read++) await client.get('/api-v1-contacts')
    const tooEarly = shown
    disk.held = false
    disk.confirm()
    const response = await reading
    await running
    await submit(client, 'contacts', contacts(1))
    disk.held = true
    const failed = runBatches(server.store)
    await disk.syncing()
    const failing = client.get(path)
    await client.get('/api-v1-contacts')
    disk.held = false
    disk.fail()
    await failed

    assert.deepEqual([tooEarly, response.status], [false, 200])
    assertError(await failing, 503, 'SERVICE_UNAVAILABLE')
  })
}
