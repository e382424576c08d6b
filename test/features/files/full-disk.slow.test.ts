import assert from 'node:assert/strict'
import { onFaultyDisk } from '../../store/on-faulty-disk.ts'
import { assertError } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { testUnless, withoutCompiler } from '../../support/needs.ts'
import { download, storedIn, upload, uploaded } from './files.ts'

const test = testUnless(withoutCompiler)

for (const [error, reason] of [
  ['ENOSPC', /the disk is full$/],
  ['EDQUOT', /the disk quota is used up$/],
  ['EIO', /the disk reported an I\/O error$/],
] as const) {
  test(`While the disk fails with ${error}, an upload is 503 and leaves nothing, and stored files are read; afterwards it is stored`, async (t) => {
    const on = await onFaultyDisk(t)
    const { url } = on.server.first
    const organization_id = (await make(on.client, 'organization')).id
    const kept = await uploaded(on.client, 'kept', { organization_id })
    const before = storedIn(on.data)

    on.disk.fail('write', 'log', error)
    const refused = await upload(on.client, 'refused', { organization_id })
    const read = await download(url!, on.client, `/api-v1-files/${kept.id}/content`)
    on.disk.heal()

    assertError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.match(refused.body.error.message, reason)
    assert.deepEqual(storedIn(on.data), before)
    assert.equal(read.bytes.toString(), 'kept')
    const { id } = await uploaded(on.client, 'refused', { organization_id })
    assert.equal((await download(url!, on.client, `/api-v1-files/${id}/content`)).bytes.toString(), 'refused')
    assert.equal((await on.client.get('/api-v1-files')).body.pagination.total, 2)
  })
}
