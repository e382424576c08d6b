import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDirectory } from '../../support/directory.ts'
import { until } from '../../support/wait.ts'
import { companyAddress, handIn, serveMail } from './mail-server.ts'
import { mailWithFile } from './mails.ts'

for (const [door, status] of [
  ['smtp', 250],
  ['api', 201],
  ['mail-in', 202],
] as const) {
  test(`The first mail of a new server that arrives by ${door} may have an attachment`, async (t) => {
    const on = await serveMail(t, temporaryDirectory(t))
    const address = await companyAddress(on.client)

    assert.equal(await handIn(on, door, address, mailWithFile('offer.pdf', 'x'.repeat(100_000))), status)

    const files = async () => (await on.client.get('/api-v1-files')).body.data
    const [file] = await until('the attachment is a file', files, { is: (found) => found.length > 0 })
    assert.deepEqual([file.name, file.bytes], ['offer.pdf', 100_000])
  })
}
