import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { download, storedIn, uploaded } from '../features/files/files.ts'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { samplesIn } from '../support/metrics.ts'
import { firstClient } from '../support/prepare.ts'
import { administer, launch, bundle as program, run } from '../support/program.ts'
import { type S3Server, startS3 } from '../support/s3-server.ts'
import { until } from '../support/wait.ts'

/** Starts the server program with its content in S3. */
async function serve(t: TestContext, s3: S3Server, data: string, ...args: string[]) {
  const options = ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0', ...args]
  const { first, stop } = await launch(t, program, options, { env: s3.env, stderr: 'pipe' })
  return { url: first.url!, metrics: first.metrics!, stop }
}

async function sample(metrics: string, name: string): Promise<number | undefined> {
  return samplesIn(await (await fetch(metrics)).text()).get(name)
}

test('Backups, checks, restores and moves of a company take content from S3 and put it there', async (t) => {
  const [s3, data, backups] = [await startS3(t), temporaryDirectory(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.url)
  const { id, sha256 } = await uploaded(client, 'hampers')
  const kontor = async (...args: string[]) => {
    const { code, stderr } = await run(program, args, { env: s3.env })
    return code === 0 ? '' : stderr
  }

  assert.equal(await kontor('check', '--files', '--data', data), '')
  const file = join(backups, 'one.db')
  assert.equal(await kontor('backup', file, '--data', data), '')
  assert.deepEqual(
    storedIn(backups).map((path) => path.slice(-64)),
    [sha256],
  )
  const company = (await client.get('/api-v1-me')).body.data.company.id
  const moved = join(temporaryDirectory(t), 'acme.db')
  await server.stop()
  assert.equal(await kontor('company', 'export', company, moved, '--data', data), '')

  const [[key, object]] = [...s3.objects] as [[string, { bytes: Buffer; storedMs: number }]]
  s3.objects.set(key, { ...object, bytes: Buffer.from('hampert') })
  assert.match(await kontor('check', '--files', '--data', data), /is damaged/)
  s3.objects.clear()
  assert.match(await kontor('check', '--files', '--data', data), /is missing/)
  const target = temporaryDirectory(t)
  for (const bring of [
    ['restore', file],
    ['company', 'import', moved],
  ]) {
    s3.objects.clear()
    const into = bring[0] === 'restore' ? target : await newInstallation(t)
    assert.equal(await kontor(...bring, '--data', into), '')
    const restored = await serve(t, s3, into)
    const { bytes } = await download(restored.url, client, `/api-v1-files/${id}/content`)
    assert.equal(bytes.toString(), 'hampers', bring.join(' '))
    await restored.stop()
  }
})

test('Content that is erased while kontor check --files reads is not missing', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.url)
  const ids = [(await uploaded(client, 'hampers')).id, (await uploaded(client, 'baskets')).id]
  for (const id of ids) await client.delete(`/api-v1-files/${id}`)
  let erased: Promise<unknown> | undefined
  s3.fault = async ({ method }) => {
    if (method === 'GET') {
      erased ??= Promise.all(ids.map((id) => client.delete(`/api-v1-trash/${id}`)))
      await erased
      await until('the content is erased', () => s3.objects.size, { is: (count) => count === 0 })
    }
    return undefined
  }

  const checked = await run(program, ['check', '--files', '--data', data], { env: s3.env })

  assert.ok(erased, 'nothing was read')
  assert.deepEqual([checked.code, checked.stderr], [0, ''])
})

test('A removal of a company whose content S3 does not remove can be repeated, and a failed import leaves no content', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.url)
  for (const text of ['hampers', 'baskets']) await uploaded(client, text)
  const company = (await client.get('/api-v1-me')).body.data.company.id
  await server.stop()
  const file = join(temporaryDirectory(t), 'acme.kontor')
  const kontor = async (...args: string[]) => {
    const { code, stderr } = await run(program, ['company', ...args], { env: s3.env })
    return code === 0 ? '' : stderr
  }
  assert.equal(await kontor('export', company, file, '--data', data), '')
  assert.equal(await kontor('move', company, '--to', 'bb', '--data', data), '')

  s3.fault = ({ method }) => (method === 'DELETE' ? 'reset' : undefined)
  assert.match(await kontor('delete', company, '--data', data), /The content was not removed/)
  s3.fault = () => undefined
  assert.equal(await kontor('delete', company, '--data', data), '')
  assert.equal(s3.objects.size, 0)

  const target = await newInstallation(t)
  s3.fault = ({ method }) => (method === 'PUT' && s3.objects.size > 0 ? 403 : undefined)
  assert.match(await kontor('import', file, '--data', target), /The file was not stored/)
  assert.equal(s3.objects.size, 0)
  assert.match(await kontor('delete', company, '--data', target), /Company not found/)
})

test('A company moves only when its export has ended, so that it is not removed without a file', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.url)
  await uploaded(client, 'hampers')
  const company = (await client.get('/api-v1-me')).body.data.company.id
  const file = join(temporaryDirectory(t), 'acme.kontor')
  const kontor = (...args: string[]) => run(program, ['company', ...args, '--data', data], { env: s3.env })
  const read = Promise.withResolvers<void>()
  let isReading = false
  s3.fault = async ({ method, key }) => {
    if (method !== 'GET' || !s3.objects.has(key)) return undefined
    isReading = true
    await read.promise
    return undefined
  }

  const exporting = kontor('export', company, file)
  await until('the export reads the content', () => isReading)
  const early = await kontor('move', company, '--to', 'bb')
  read.resolve()
  const exported = await exporting
  const late = await kontor('move', company, '--to', 'bb')

  assert.deepEqual([early.code, exported.code, late.code], [1, 0, 0])
  assert.equal(early.stderr, 'kontor: The export of this company has not ended: wait for it, or repeat it.\n')
})

async function newInstallation(t: TestContext): Promise<string> {
  const data = temporaryDirectory(t)
  await administer(program, 'company', 'create', '--name', 'Other', '--data', data)
  return data
}

test('kontor files sweep finds what nothing refers to on all pages of a bucket, and leaves other objects', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.url)
  const kept = await uploaded(client, 'kept')
  await server.stop()
  const [own] = [...s3.objects.keys()]
  const orphan = (byte: number) => own!.replace(/[^/]{2}\/[^/]{64}$/, `${byte}/${String(byte).repeat(32)}`)
  const orphans = [10, 20, 30, 40, 50, 60, 70].map(orphan)
  const others = ['kontor/files/notes <&>.txt', 'kontor/files/1/ab/abc', own!.replace('kontor/files/', 'else/')]
  for (const key of [...orphans, ...others]) s3.objects.set(key, { bytes: Buffer.from('left'), storedMs: 0 })
  const sweep = async (...args: string[]) => {
    const { stdout, stderr } = await run(program, ['files', 'sweep', '--data', data, '--json', ...args], {
      env: s3.env,
    })
    return stderr || JSON.parse(stdout)
  }

  assert.deepEqual(await sweep('--dry-run'), { removed: 7, bytes: 28, dry_run: true })
  assert.deepEqual(await sweep(), { removed: 7, bytes: 28, dry_run: false })
  assert.deepEqual([...s3.objects.keys()].sort(), [...others, own!].sort())
  assert.ok(own!.endsWith(kept.sha256))
  assert.deepEqual(s3.refused, [])
})

test('The removal of erased content that S3 does not answer is counted by a metric and done after a restart', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.url)
  const { id } = await uploaded(client, 'hampers')
  await client.delete(`/api-v1-files/${id}`)
  s3.fault = ({ method }) => (method === 'DELETE' ? 'reset' : undefined)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
  assert.equal(await sample(server.metrics, 'kontor_content_removals_waiting'), 1)
  await server.stop()
  s3.fault = () => undefined

  const again = await serve(t, s3, data)

  await until('the content is removed', () => s3.objects.size === 0)
  await until('nothing waits', async () => (await sample(again.metrics, 'kontor_content_removals_waiting')) === 0)
})

test('A metric counts requests that met missing content, another length, and damage', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client: Client = await firstClient(data, server.url)
  const { id } = await uploaded(client, 'hampers')
  const faults = () =>
    Promise.all(
      ['missing', 'length', 'damaged'].map((fault) =>
        sample(server.metrics, `kontor_content_faults_total{fault="${fault}"}`),
      ),
    )
  const [key] = [...s3.objects.keys()]
  assert.deepEqual(await faults(), [0, 0, 0])

  for (const bytes of ['hampert', 'more hampers', undefined, undefined]) {
    if (bytes === undefined) s3.objects.delete(key!)
    else s3.objects.set(key!, { bytes: Buffer.from(bytes), storedMs: 0 })
    assert.equal((await client.get(`/api-v1-files/${id}/content`)).status, 503)
  }

  assert.deepEqual(await faults(), [2, 1, 1])
})

test('A server that S3 refuses does not start and says why, and without its keys, or with another place, it says what is expected', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const start = async (env: Record<string, string>, ...args: string[]) => {
    const all = { ...s3.env, ...env }
    const { code, stderr } = await run(program, ['serve', '--data', data, '--port', '0', ...args], { env: all })
    return `${code} ${stderr}`
  }

  assert.match(await start({ KONTOR_S3_SECRET_ACCESS_KEY: 'wrong' }), /^1 .*team-files.*SignatureDoesNotMatch/s)
  assert.match(await start({}, '--files', 's3://other-files'), /^1 .*other-files.*NoSuchBucket/s)
  assert.match(await start({ KONTOR_S3_SECRET_ACCESS_KEY: '' }), /^2 .*KONTOR_S3_SECRET_ACCESS_KEY/s)
  for (const place of ['files', 's3://', 's3://Team', 's3://team-files/a/../b', 's3://team-files/ä', 'https://a/b']) {
    assert.throws(() => readConfig(['files'], { files: place }, {}), /--files must be like s3:\/\/bucket\/prefix/)
  }
  assert.throws(() => readConfig(['s3Endpoint'], {}, { KONTOR_S3_ENDPOINT: 'http://a/b' }), /KONTOR_S3_ENDPOINT must/)
  const { stdout } = await run(program, ['config'], { env: s3.env })
  assert.ok(!stdout.includes(s3.env.KONTOR_S3_SECRET_ACCESS_KEY!))
})
