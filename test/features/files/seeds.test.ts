import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError, clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { type Command, launch } from '../../support/program.ts'
import { download, upload } from './files.ts'

const kontor: Command = [process.execPath, 'dist/kontor.cjs']

test('A seed file has files with content_base64, which a sandbox serves, exports and resets, and keeps up to 64 MiB of', async (t) => {
  const directory = temporaryDirectory(t)
  const seed = join(directory, 'seed.json')
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const file = { name: 'offer.txt', media_type: 'text/plain', organization_id: id, content_base64: btoa('Hampers') }
  writeFileSync(seed, JSON.stringify({ organizations: [{ id, name: 'Globex' }], files: [file] }))
  const { first } = await launch(t, kontor, ['sandbox', '--port', '0', '--seed', seed])
  const [url, key] = [first.url!, first.key!]
  const client = clientFor(url, { id: '', key })

  const { body } = await client.get('/api-v1-files')
  const [{ id: fileId, bytes }] = body.data
  assert.equal(bytes, 7)
  const content = async () => (await download(url, client, `/api-v1-files/${fileId}/content`)).bytes.toString()
  assert.equal(await content(), 'Hampers')
  const exported = await client.get('/api-v1-sandbox/export')
  assert.equal((exported.body.data ?? exported.body).files[0].content_base64, file.content_base64)
  const part = (letter: string) => upload(client, Buffer.alloc(23 * 2 ** 20, letter), { organization_id: id })
  assert.deepEqual([(await part('a')).status, (await part('b')).status], [201, 201])
  assertError(await part('c'), 403, 'PLAN_LIMIT_EXCEEDED')
  assert.equal((await client.post('/api-v1-sandbox/reset', {})).status, 200)
  assert.equal((await client.get('/api-v1-files')).body.pagination.total, 1)
  assert.equal(await content(), 'Hampers')
})
