import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { storedIn, uploaded } from '../features/files/files.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle } from '../support/program.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

test('Content of erased files that cannot be removed is one line of the log, and that of other companies is removed at the start', async (t) => {
  const data = temporaryDirectory(t)
  const server = await start(t, { directory: data })
  const paths: string[] = []
  for (const name of ['First', 'Second', 'Third']) {
    const { client } = await server.company(name)
    const { sha256 } = await uploaded(client, name)
    paths.push(join(data, 'files', storedIn(data).find((path) => path.endsWith(sha256))!))
    const id = server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
    const mark = 'INSERT INTO content_removal (workspace_id, sha256) VALUES (:workspace, ?)'
    await server.store.write(id, (tx) => tx.run(mark, sha256))
  }
  await server.stop()
  for (const path of paths.slice(0, 2)) {
    rmSync(path)
    mkdirSync(path) // it cannot be removed like a file
  }

  const [command, ...args] = [...bundle, 'serve', '--data', data, '--port', '0'] as [string, ...string[]]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await until('the content of the third company is removed', () => storedIn(data).length === 0)
  child.kill('SIGTERM') // it ends after what it has begun
  await once(child, 'close')

  const lines = output.split('\n').filter((line) => line.includes('content was not removed'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).workspaces),
    [2],
    output,
  )
})
