import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Found } from '../../../src/content/contents.ts'
import { readWhole } from '../../../src/content/read-whole.ts'
import { S3Contents } from '../../../src/content/s3-contents.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { bucket } from '../../support/s3-server.ts'

/** A server that others use in their tests. It is looked for in node_modules, or where KONTOR_TEST_MODULES says. */
const require = createRequire(join(process.env.KONTOR_TEST_MODULES ?? process.cwd(), 'package.json'))
const skip = isInstalled() ? false : 's3rver is not installed: npm install --no-save s3rver@3.7.1'

test('s3rver stores, shows, lists and removes content', { skip }, async (t) => {
  const S3rver = require('s3rver')
  const [data, arriving] = [temporaryDirectory(t), temporaryDirectory(t)]
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: data, configureBuckets: [{ name: bucket }] }
  const server = new S3rver(options)
  const { port } = await server.run()
  t.after(() => server.close())
  const key = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const contents = new S3Contents(
    { ...key, endpoint: `http://127.0.0.1:${port}`, bucket, prefix: 'a/b_c-1/' },
    arriving,
  )
  const bytes = randomBytes(3_000_000)
  const received = await contents.receive(partsOf(bytes), bytes.length)
  const place = { workspaceId: 7, sha256: received.sha256 }

  await received.keep(7)

  assert.equal(await contents.lookupBytes(place), bytes.length)
  assert.deepEqual(await whole(readWhole(contents, place, bytes.length)), bytes)
  assert.deepEqual(await whole(contents.read(place, 10, 2_000_000)), bytes.subarray(10, 2_000_000))
  const found: Found[] = []
  for await (const each of contents.list()) found.push(each)
  assert.deepEqual(
    found.map(({ storedMs, ...each }) => each),
    [{ ...place, bytes: bytes.length }],
  )
  await contents.remove(place)
  await contents.remove(place)
  assert.equal(await contents.lookupBytes(place), undefined)
})

async function* partsOf(bytes: Buffer): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

function isInstalled(): boolean {
  try {
    require.resolve('s3rver')
    return true
  } catch {
    return false
  }
}
