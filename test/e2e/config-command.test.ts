import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, launch, run } from '../support/program.ts'
import { signIn, visit } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

test('kontor config prints each setting with its value and its source, without passwords', async () => {
  const env = { KONTOR_PORT: '9090', KONTOR_BACKUP_DIR: '', KONTOR_PUBLIC_URL: 'https://crm.example.com' }

  const { code, stdout } = await run(bundle, ['config', '--json', '--port', '9091', '--host', '::1'], { env })
  const { settings } = JSON.parse(stdout)
  const of = (variable: string) => settings.find((each: { variable: string }) => each.variable === variable)

  assert.equal(code, 0)
  assert.deepEqual(of('KONTOR_PORT'), { flag: '--port', variable: 'KONTOR_PORT', value: '9091', source: '--port' })
  assert.equal(of('KONTOR_PUBLIC_URL').source, 'KONTOR_PUBLIC_URL')
  assert.deepEqual([of('KONTOR_BACKUP_DIR').value, of('KONTOR_BACKUP_DIR').source], ['', 'default'])
  const secret = await run(bundle, ['config', '--log', 'etcd://ada:secret@10.0.0.1:2379/kontor'])
  assert.doesNotMatch(secret.stdout, /secret/)
})

test('kontor config names invalid values and misspelled variables', async () => {
  const env = {
    KONTOR_PORT: 'many',
    KONTOR_METRICS: '[::1]:65536',
    KONTOR_BAKUP_DIR: '/backups',
    KONTOR_NOTHING_LIKE_IT: 'x',
  }

  const { code, stdout } = await run(bundle, ['config'], { env })

  assert.equal(code, 2)
  assert.match(stdout, /^KONTOR_PORT must be a port from 0 to 65535; it is "many"$/m)
  assert.match(stdout, /^KONTOR_METRICS must be a host and a port, such as 127\.0\.0\.1:9464; it is "\[::1\]:65536"$/m)
  assert.match(stdout, /^KONTOR_BAKUP_DIR is no setting and has no effect; did you mean KONTOR_BACKUP_DIR\?$/m)
  assert.match(stdout, /^KONTOR_NOTHING_LIKE_IT is no setting and has no effect$/m)
})

test('An empty flag is wrong usage where a value is needed, and elsewhere none; an empty variable is as if it were not set', async () => {
  const env = { KONTOR_DATA: '/var/lib/kontor', KONTOR_BACKUP_DIR: '/backups', KONTOR_PORT: '' }
  const wrong = await run(bundle, ['company', 'create', '--name', 'Acme', '--data', ''], { env })
  assert.deepEqual([wrong.code, wrong.stderr], [2, 'kontor: --data must not be empty; it is ""\n'])

  const { stdout } = await run(bundle, ['config', '--json', '--backup-dir', ''], { env })

  const { settings } = JSON.parse(stdout)
  const of = (variable: string) => {
    const { value, source } = settings.find((each: { variable: string }) => each.variable === variable)
    return [value, source]
  }
  assert.deepEqual(['KONTOR_BACKUP_DIR', 'KONTOR_PORT'].map(of), [
    ['', '--backup-dir'],
    ['8080', 'default'],
  ])
})

test('A server warns of misspelled variables when it starts, and a sandbox does', async (t) => {
  const env = { KONTOR_BAKUP_DIR: '/backups' }
  const warning = 'KONTOR_BAKUP_DIR is no setting and has no effect; did you mean KONTOR_BACKUP_DIR?'
  const directory = temporaryDirectory(t)

  const server = await outputOf(t, ['serve', '--data', directory, '--port', '0'], env, `"msg":"${warning}"`)
  const sandbox = await outputOf(t, ['sandbox'], env, `kontor: ${warning}`)

  assert.match(server, /"level":"warn"/)
  assert.doesNotMatch(sandbox, /"level"/)
})

test('A server in an empty directory gets the company and the owner that its variables name, once', async (t) => {
  const directory = temporaryDirectory(t)
  const passwordFile = join(temporaryDirectory(t), 'password')
  writeFileSync(passwordFile, 'a long password\n')
  const env = {
    ...{ KONTOR_COMPANY: 'Acme', KONTOR_OWNER_EMAIL: 'ada@acme.example' },
    KONTOR_OWNER_PASSWORD_FILE: passwordFile,
  }
  const args = ['serve', '--data', directory, '--port', '0']

  const first = await launch(t, bundle, args, { env })
  const signedIn = await statusOfSignIn(first.first.url!, 'a long password')
  await first.stop()
  writeFileSync(passwordFile, 'another password\n')
  const second = await launch(t, bundle, args, { env })

  assert.deepEqual([first.first.owner, first.first.setup_url], ['ada@acme.example', undefined])
  assert.equal(signedIn, 201)
  assert.equal(second.first.owner, undefined)
  assert.deepEqual(
    [
      await statusOfSignIn(second.first.url!, 'a long password'),
      await statusOfSignIn(second.first.url!, 'another password'),
    ],
    [201, 401],
  )
})

test('A first owner with a part missing or wrong is refused by its name, and the next start can still create it', async (t) => {
  const directory = temporaryDirectory(t)
  const passwordFile = join(temporaryDirectory(t), 'password')
  const args = ['serve', '--data', directory, '--port', '0']
  const env = { KONTOR_COMPANY: 'Acme', KONTOR_OWNER_EMAIL: 'ada@acme.example' }
  const whole = { ...env, KONTOR_OWNER_PASSWORD_FILE: passwordFile }

  const part = await run(bundle, args, { env })
  const missing = await run(bundle, args, { env: whole })
  writeFileSync(passwordFile, 'short')
  const short = await run(bundle, args, { env: whole })
  writeFileSync(passwordFile, 'a long password')
  const email = await run(bundle, args, { env: { ...whole, KONTOR_OWNER_EMAIL: 'ada' } })
  const right = await launch(t, bundle, args, { env: whole })

  assert.equal(part.code, 2)
  assert.match(part.stderr, /belong together/)
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /The first owner cannot be created: KONTOR_OWNER_PASSWORD_FILE: .*no such file/)
  assert.match(short.stderr, /The first owner cannot be created: KONTOR_OWNER_PASSWORD_FILE: .*10 to 200 characters/)
  assert.match(email.stderr, /The first owner cannot be created: KONTOR_OWNER_EMAIL: Email must be/)
  assert.equal(right.first.owner, 'ada@acme.example')
})

async function statusOfSignIn(url: string, password: string): Promise<number> {
  return (await signIn(visit(url), 'ada@acme.example', password)).status
}

/** Runs a program until its output has a text. */
async function outputOf(t: TestContext, args: string[], env: NodeJS.ProcessEnv, text: string): Promise<string> {
  const [program, ...before] = bundle
  const child = spawn(program, [...before, ...args], { env: { ...process.env, ...env } })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await until(`the output has "${text}"`, () => output, { is: (all) => all.includes(text) })
  return output
}
