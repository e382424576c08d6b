import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { firstClient } from '../../support/prepare.ts'
import { type Command, launch } from '../../support/program.ts'
import { download, storedIn } from './files.ts'

const kontor: Command = [process.execPath, 'src/main.ts']
const rounds = 4
const senders = 8

test('After kill -9 during uploads, every acknowledged file has its content, and nothing is half', async (t) => {
  const data = temporaryDirectory(t)
  const acknowledged = new Map<string, string>()
  let key: { id: string; key: string } | undefined
  for (let round = 0; round <= rounds; round++) {
    const server = await launch(t, kontor, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'])
    const url = server.first.url!
    const client = key ? clientFor(url, key) : await firstClient(data, url)
    key = { id: client.keyId, key: client.key }
    for (const [id, sha256] of acknowledged) {
      const { status, bytes } = await download(url, client, `/api-v1-files/${id}/content`)
      assert.deepEqual([status, createHash('sha256').update(bytes).digest('hex')], [200, sha256])
    }
    const { body } = await client.get('/api-v1-files?limit=1')
    assert.ok(body.pagination.total >= acknowledged.size)
    if (round === rounds) break
    const organization = (await client.post('/api-v1-organizations', { name: 'Globex' })).body.data.id
    let arrived = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const send = async () => {
      for (;;) {
        const bytes = randomBytes(200_000)
        const init = {
          method: 'POST',
          body: bytes,
          headers: { Authorization: `Bearer ${client.key}`, 'Content-Type': 'a/b' },
        }
        const response = await fetch(`${url}/api-v1-files?name=a&organization_id=${organization}`, init)
        const { data } = (await response.json()) as { data: { id: string; sha256: string } }
        acknowledged.set(data.id, data.sha256)
        if (++arrived === 20) resolve()
      }
    }
    const sending = Array.from({ length: senders }, () => send().catch(() => {}))
    await promise
    await server.stop('SIGKILL')
    await Promise.all(sending)
  }
  assert.equal(storedIn(data).filter((path) => path.startsWith('unfinished')).length, 0)
  assert.ok(acknowledged.size >= rounds * 20)
})
