import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../support/directory.ts'
import { samplesIn } from '../../support/metrics.ts'
import { bundle, run } from '../../support/program.ts'
import { until } from '../../support/wait.ts'
import { companyAddress, handIn, mailArgs, rawMail, serveMail } from './mail-server.ts'

async function serving(t: TestContext, args: string[] = []) {
  const data = join(temporaryDirectory(t), 'data')
  const on = await serveMail(t, data, { args })
  const { port, hostname } = new URL(on.smtp)
  const test = (...given: string[]) => {
    const settings = ['--mail-domain', 'in.example.com', '--smtp-listen', `${hostname}:${port}`, '--dns', '127.0.0.1:9']
    return run(bundle, ['mail', 'test', '--data', data, '--url', on.url, ...settings, ...given])
  }
  return { data, on, test, address: await companyAddress(on.client) }
}

test('kontor mail test takes a message through each door, prints each step, and stores nothing', async (t) => {
  const { on, test, address } = await serving(t)

  const { code, stdout } = await test('--address', address, '--from', 'ann@example.org')

  assert.equal(code, 0, stdout)
  const lines = stdout.trim().split('\n')
  assert.ok(
    lines.every((line) => line.startsWith('ok ')),
    stdout,
  )
  assert.match(stdout, /http .*\/mail\/in: accepted; nothing is stored, the outcome would be unmatched\n/)
  assert.match(stdout, /smtp .*RCPT TO: 250 Accepted\n/)
  assert.match(lines.at(-1)!, /message: 250 OK: a test, nothing is stored; the outcome would be unmatched$/)
  assert.equal((await on.client.get('/api-v1-messages')).body.pagination.total, 0)
  assert.deepEqual((await on.client.get('/api-v1-mail-log')).body.data, [])
})

test('kontor mail test says that there is no SMTP door, and not that it is fine', async (t) => {
  const { data, on, address } = await serving(t)
  const test = [
    'mail',
    'test',
    '--data',
    data,
    '--url',
    on.url,
    '--mail-domain',
    'in.example.com',
    '--address',
    address,
  ]

  const [told, json] = [await run(bundle, test), await run(bundle, [...test, '--json'])]

  assert.equal(told.code, 0, told.stdout)
  assert.match(told.stdout, /^none +smtp +no SMTP door: not tested; .*--smtp-listen$/m)
  assert.doesNotMatch(told.stdout, /^ok +smtp/m)
  const { ok, steps } = JSON.parse(json.stdout)
  assert.deepEqual([ok, steps.at(-1).skipped], [true, true])
})

test('kontor mail test says which step failed, and what to do', async (t) => {
  const { on, test, address } = await serving(t)

  const unknown = await test('--address', 'unknown@in.example.com', '--json')
  assert.equal(unknown.code, 1)
  const { ok, steps } = JSON.parse(unknown.stdout)
  assert.deepEqual([ok, steps.length, steps[0].ok], [false, 1, false])
  assert.match(steps[0].advice, /^Create it with POST \/api-v1-mail-addresses/)

  await on.server.stop()
  const stopped = await test('--address', address)
  assert.equal(stopped.code, 1)
  assert.match(
    stopped.stdout,
    /FAILED {2}smtp .*connect to .*: connect ECONNREFUSED.*\n +Start the server with --smtp-listen/,
  )
  assert.match(stopped.stdout, /FAILED {2}http .*\n +Start the server with --mail-domain/)
})

test('Nobody but the operator can send a test', async (t) => {
  const { on, address } = await serving(t)
  const end = Date.now() + 60_000
  const forged = `Kontor-Test: ${end}.${'0'.repeat(64)}\r\n${rawMail('forged')}`

  assert.equal(await handIn(on, 'smtp', address, forged), 250)

  assert.equal((await on.client.get('/api-v1-messages')).body.pagination.total, 1)
})

test('Settings that cannot take mail by SMTP are refused at the start, with what to do', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const refuse = async (...args: string[]) => {
    const { code, stderr } = await run(bundle, ['serve', '--data', data, '--port', '0', ...args])
    return [code, stderr]
  }
  const log = ['--log', 'etcd://127.0.0.1:9/kontor', '--advertise', 'http://127.0.0.1:8080']

  assert.deepEqual(await refuse('--smtp-listen', '127.0.0.1:0'), [1, 'kontor: --smtp-listen needs --mail-domain.\n'])
  assert.deepEqual(await refuse(...mailArgs, ...log), [
    1,
    'kontor: --smtp-listen with --log needs --files: servers that share a log keep mail in S3.\n',
  ])
})

test('Metrics count what became of mail at each door', async (t) => {
  const { on, address } = await serving(t, ['--metrics', '127.0.0.1:0'])
  await handIn(on, 'smtp', address, rawMail('one'))
  await handIn(on, 'smtp', address, rawMail('one'))
  await handIn(on, 'api', address, rawMail('two'))
  await handIn(on, 'api', address, 'no message')

  const samples = samplesIn(await (await fetch(on.server.first.metrics!)).text())

  assert.equal(samples.get('kontor_mail_messages_total{door="smtp",outcome="unmatched"}'), 1)
  assert.equal(samples.get('kontor_mail_messages_total{door="smtp",outcome="duplicate"}'), 1)
  assert.equal(samples.get('kontor_mail_messages_total{door="http",outcome="unmatched"}'), 1)
  assert.equal(samples.get('kontor_mail_messages_total{door="http",outcome="refused"}'), 1)
  assert.ok(samples.has('kontor_smtp_connections'))
})

test('The script of docs/mail.md hands a message to the server, and has the exit codes that mail servers know', async (t) => {
  const { data, on, address } = await serving(t)
  const page = readFileSync(new URL('../../../docs/mail.md', import.meta.url), 'utf8')
  const script = join(data, 'kontor-mail')
  writeFileSync(script, /^```text\n(#!\/bin\/sh\n[\s\S]*?)^```/m.exec(page)![1]!)
  chmodSync(script, 0o755)
  const pipe = async (url: string, to: string, raw: string) => {
    const child = spawn(script, [to], {
      env: { ...process.env, KONTOR_URL: url },
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    child.stdin!.on('error', () => {}).end(raw)
    return (await once(child, 'exit'))[0]
  }

  assert.equal(await pipe(on.url, address, rawMail('piped')), 0)
  const totalOf = async () => (await on.client.get('/api-v1-messages')).body.pagination.total
  await until('it is stored', totalOf, { is: (total) => total === 1 })
  assert.equal(await pipe(on.url, address, ''), 69)
  assert.equal(await pipe('http://127.0.0.1:9', address, rawMail('later')), 75)
})
