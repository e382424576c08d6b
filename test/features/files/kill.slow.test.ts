import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultyDisk } from '../../store/faulty-disk.ts'
import { type Client, clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { testUnless, withoutCompiler } from '../../support/needs.ts'
import { firstClient } from '../../support/prepare.ts'
import { bundle, launch, type Process } from '../../support/program.ts'
import { randomOf, rounds } from '../../support/random.ts'
import { faultsAtTimes } from '../../support/s3-faults.ts'
import { startS3 } from '../../support/s3-server.ts'
import { download, storedIn } from './files.ts'

/** KONTOR_TEST_ROUNDS=20 sends 2,400. */
const uploads = 120 * rounds
const uploadsPerKill = Math.max(30, Math.ceil(uploads / 50))
const senders = 8

/** A file that a sender stores, again and again until it is acknowledged. */
interface Sent {
  bytes: Buffer
  sha256: string
  key: string
  isAcknowledged: boolean
}

test('After kill -9 during uploads to the disk, every acknowledged file is one record with its content, and none is twice or half', async (t) => {
  const data = temporaryDirectory(t)
  await killDuringUploads(data, () => launch(t, bundle, argsOf(data)))
  assert.deepEqual(
    storedIn(data).filter((path) => path.startsWith('unfinished')),
    [],
  )
})

test('After kill -9 during uploads to S3 that fails at times, every acknowledged file is one record with its content, and none is twice or half', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const faults = faultsAtTimes(s3)
  const serve = () => {
    faults.end()
    return launch(t, bundle, argsOf(data), { env: s3.env, stderr: 'pipe' })
  }
  await killDuringUploads(data, serve, { beforeUploads: faults.begin })
  assert.deepEqual([storedIn(data), s3.refused], [[], []])
})

testUnless(withoutCompiler)(
  'After power cuts during uploads, every acknowledged file is one record with its content, and none is twice or half',
  async (t) => {
    const directory = temporaryDirectory(t)
    const data = join(directory, 'data')
    const disk = faultyDisk(directory, data)
    const random = randomOf(2)
    let isSettled = false
    await killDuringUploads(
      data,
      () => {
        if (!isSettled) disk.settle()
        isSettled = true
        return launch(t, bundle, argsOf(data), { env: disk.env })
      },
      { afterKill: () => disk.cutPower(random) },
    )
  },
)

function argsOf(data: string): string[] {
  return ['serve', '--data', data, '--port', '0', '--rate-limits', 'off', '--request-log', 'off']
}

/** Uploads from several senders; a server that is killed is started again, and what it has not acknowledged is sent again. */
async function killDuringUploads(
  data: string,
  serve: () => Promise<Process>,
  { beforeUploads = () => {}, afterKill = () => {} } = {},
): Promise<void> {
  const key = await firstClient(data, '')
  const all = Array.from({ length: uploads }, newFile)
  let organization: string | undefined
  for (;;) {
    const server = await serve()
    const client = clientFor(server.first.url!, { id: key.keyId, key: key.key })
    const url = server.first.url!
    await assertStored(client, url, all)
    if (all.every(({ isAcknowledged }) => isAcknowledged)) return
    beforeUploads()
    organization ??= (await client.post('/api-v1-organizations', { name: 'Globex' })).body.data.id as string
    const path = `/api-v1-files?organization_id=${organization}`
    const before = all.filter(({ isAcknowledged }) => isAcknowledged).length
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const sending = Array.from({ length: senders }, async (_, sender) => {
      for (const [at, file] of all.entries()) {
        if (file.isAcknowledged || at % senders !== sender) continue
        await store(url + path, key.key, file)
        const done = all.filter(({ isAcknowledged }) => isAcknowledged).length
        if (done - before >= uploadsPerKill) resolve()
      }
    })
    const ended = Promise.allSettled(sending)
    await Promise.race([enough, ended])
    await server.stop('SIGKILL')
    await ended
    afterKill()
  }
}

function newFile(): Sent {
  const bytes = randomBytes(20_000)
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), key: randomUUID(), isAcknowledged: false }
}

/** Throws if the server is killed. */
async function store(url: string, key: string, file: Sent): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'a/b', 'Idempotency-Key': file.key }
  const response = await fetch(`${url}&name=${file.key}`, { method: 'POST', body: file.bytes, headers })
  await response.text()
  if (response.status === 201) file.isAcknowledged = true
}

/** Every acknowledged file is stored, every stored one was sent and is there once, and all of them have their content. */
async function assertStored(client: Client, url: string, all: readonly Sent[]): Promise<void> {
  const stored: { id: string; name: string; sha256: string }[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await client.get(`/api-v1-files?limit=100&page=${page}`)
    stored.push(...body.data)
    pages = body.pagination.total_pages
  }
  assert.equal(new Set(stored.map(({ name }) => name)).size, stored.length, 'no file is there twice')
  for (const { key, isAcknowledged } of all) {
    assert.ok(!isAcknowledged || stored.some(({ name }) => name === key), `${key} was acknowledged`)
  }
  const sent = new Map(all.map((file) => [file.key, file]))
  for (const { id, name } of stored) {
    const { status, bytes } = await download(url, client, `/api-v1-files/${id}/content`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    assert.deepEqual([status, sha256], [200, sent.get(name)!.sha256], name)
  }
}
