import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../support/directory.ts'
import { firstClient } from '../../support/prepare.ts'
import { bundle, launch, type Process, run } from '../../support/program.ts'
import { type S3Server, startS3 } from '../../support/s3-server.ts'
import { until } from '../../support/wait.ts'
import { storedIn, uploaded } from './files.ts'

function serve(t: TestContext, s3: S3Server, data: string, ...args: string[]): Promise<Process> {
  return launch(t, bundle, ['serve', '--data', data, '--port', '0', ...args], { env: s3.env, stderr: 'pipe' })
}

/** A data directory with one file, whose content is in S3, from where it does not come until `answer` is called. */
async function withContentAway(t: TestContext) {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const server = await serve(t, s3, data)
  const client = await firstClient(data, server.first.url!)
  const { sha256 } = await uploaded(client, 'hampers')
  const company: string = (await client.get('/api-v1-me')).body.data.company.id
  await server.stop()
  let isAsked = false
  const hold = () => {
    isAsked = false
    s3.fault = ({ method, key }) => {
      if (method !== 'GET' || !key.endsWith(sha256)) return undefined
      isAsked = true
      return new Promise(() => {})
    }
  }
  const answer = () => {
    s3.fault = () => undefined
  }
  const asked = () => until('the content is asked for', () => isAsked)
  return { s3, data, company, hold, asked, answer }
}

test('What is copied with content has its name only when the content is there: a command that was killed before can be repeated', async (t) => {
  const { s3, data, company, hold, asked, answer } = await withContentAway(t)
  const directories = Array.from({ length: 3 }, () => temporaryDirectory(t)) as [string, string, string]
  const files = ['backup.db', 'data/kontor.db', 'acme.kontor'].map((name, at) => join(directories[at]!, name))
  const [backup, database, exported] = files as [string, string, string]
  const commands = [
    ['backup', backup],
    ['export', '--company', company, '--format', 'sqlite', '--out', join(database, '..')],
    ['company', 'export', company, exported],
  ]
  for (const [at, command] of commands.entries()) {
    hold()
    const args = [...bundle.slice(1), ...command, '--data', data]
    const killed = spawn(bundle[0], args, { env: { ...process.env, ...s3.env }, stdio: 'ignore' })
    const ended = once(killed, 'exit')
    await asked()
    killed.kill('SIGKILL')
    await ended
    assert.ok(!existsSync(files[at]!), command.join(' '))

    answer()
    const { code, stderr } = await run(bundle, [...command, '--data', data], { env: s3.env })
    assert.equal(code, 0, stderr)
  }

  assert.equal((await run(bundle, ['check', backup, '--files'])).code, 0)
  assert.equal((await run(bundle, ['check', '--files', '--data', join(database, '..')])).code, 0)
  assert.equal(storedIn(join(exported, '..')).filter((path) => !path.startsWith('unfinished')).length, 1)
})

test('A scheduled backup whose server was killed before its content was there is made again at the next start', async (t) => {
  const { s3, data, hold, asked, answer } = await withContentAway(t)
  const backups = temporaryDirectory(t)
  const made = () => readdirSync(backups).filter((name) => name.endsWith('.db'))
  hold()
  const killed = await serve(t, s3, data, '--backup-dir', backups)
  await asked()
  await killed.stop('SIGKILL')
  assert.deepEqual(made(), [])

  answer()
  const server = await serve(t, s3, data, '--backup-dir', backups)
  const [name] = await until('a backup is made', made, { is: (names) => names.length > 0 })
  await server.stop()

  assert.equal((await run(bundle, ['check', join(backups, name!), '--files'])).code, 0)
})
