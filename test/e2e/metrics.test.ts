import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { samplesIn } from '../support/metrics.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, executable, launch, run } from '../support/program.ts'
import { visit } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} serves metrics about requests, the event loop and the database on a separate address`, async (t) => {
    const data = join(temporaryDirectory(t), 'data')
    const serve = ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0']
    const { first } = await launch(t, command, serve)
    const client = await firstClient(data, first.url!)
    const { id } = await make(client, 'organization')
    await client.get(`/api-v1-organizations/${id}`)
    await client.get('/api-v1-nothing')

    const filesOf = () => ['kontor.db', 'kontor.db-wal'].map((name) => statSync(join(data, name)).size)
    const { response, samples, files } = await until('the files keep their sizes while they are measured', async () => {
      const files = filesOf()
      const response = await fetch(first.metrics!)
      const samples = samplesIn(await response.text())
      return isDeepStrictEqual(filesOf(), files) && { response, samples, files }
    })

    assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
    const labels = 'method="GET",route="/api-v1-organizations/:id"'
    assert.equal(samples.get(`kontor_requests_total{${labels},status="200"}`), 1)
    assert.equal(samples.get('kontor_requests_total{method="GET",route="none",status="404"}'), 1)
    assert.equal(samples.get(`kontor_request_duration_seconds_bucket{le="+Inf",${labels}}`), 1)
    assert.equal(samples.get('kontor_rate_limited_total'), 0)
    assert.deepEqual([samples.get('kontor_database_bytes'), samples.get('kontor_wal_bytes')], files)
    assert.equal(samples.get('kontor_jobs{status="queued"}'), 0)
    assert.equal(samples.get('kontor_job_records_waiting'), 0)
    assert.equal(samples.get('kontor_reader_behind_changes{reader="webhooks"}'), 0)
    assert.ok(samples.get('nodejs_eventloop_lag_p99_seconds')! > 0)
    assert.ok(samples.get('process_resident_memory_bytes')! > 0)
  })
}

test('Requests of the console are counted by route', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0'])
  const visitor = visit(first.url!)

  await visitor.patch('/console/users/x', {})
  await fetch(`${first.url}/console/nothing`)
  await fetch(`${first.url}/settings`)
  const samples = samplesIn(await (await fetch(first.metrics!)).text())

  const count = (labels: string) => samples.get(`kontor_requests_total{${labels}}`)
  assert.equal(count('method="PATCH",route="/console/users/:id",status="401"'), 1)
  assert.equal(count('method="GET",route="none",status="404"'), 1)
  assert.equal(count('method="GET",route="/",status="200"'), 1)
})

test('promtool accepts the metrics without a warning', {
  skip:
    spawnSync('promtool', ['--version']).status === 0 ? false : 'no promtool is installed: apt-get install prometheus',
}, async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0'])
  await fetch(`${first.url}/api-v1-contacts`)

  const metrics = await (await fetch(first.metrics!)).text()
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' })

  assert.deepEqual([status, stdout, stderr], [0, '', ''])
})

test('Requests that a rate limit rejects are counted', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0'])
  for (let i = 0; i < 301; i++) await (await fetch(`${first.url}/nowhere`)).arrayBuffer()

  const samples = samplesIn(await (await fetch(first.metrics!)).text())

  assert.equal(samples.get('kontor_rate_limited_total'), 1)
})

test('Metrics are served at one path of their own address, and not at the address of the API', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0'])

  const responses = await Promise.all([fetch(`${first.url}/metrics`), fetch(first.metrics!.replace('metrics', ''))])

  assert.deepEqual(
    responses.map(({ status }) => status),
    [404, 404],
  )
})

test('An invalid address for the metrics is reported as wrong usage', async () => {
  const { code, stderr } = await run(bundle, ['serve', '--metrics', 'here'])

  assert.equal(code, 2)
  assert.match(stderr, /--metrics must be a host and a port/)
})
