import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { administer, bundle, launch, run } from '../support/program.ts'
import { password, visit } from '../support/visitor.ts'

const owner = { company_name: 'Acme', full_name: 'Ada Weber', email: 'ada@acme.example', password }

function serve(t: Parameters<typeof launch>[0], data: string) {
  return launch(t, bundle, ['serve', '--data', data, '--port', '0'], { stderr: 'pipe' })
}

test('Only the first start on an empty directory logs a setup link; kontor setup-link creates later ones while the server runs', async (t) => {
  const data = temporaryDirectory(t)
  const first = await serve(t, data)
  await first.stop()
  const second = await serve(t, data)
  const url = second.first.url!
  const setUp = (token: string) => visit(url).post('/console/setup', { token, ...owner })

  const { path, expires_at } = await administer(bundle, 'setup-link', '--data', data)
  const replaced = await setUp(first.first.setup_url!.split('#')[1]!)
  const made = await setUp(path.replace('/setup#', ''))
  const again = await run(bundle, ['setup-link', '--data', data])

  assert.match(first.first.setup_url!, /^http:\/\/127\.0\.0\.1:\d+\/setup#[\w-]{43}$/)
  assert.equal(second.first.setup_url, undefined)
  assert.match(path, /^\/setup#[\w-]{43}$/)
  assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 86_400_000) < 600_000)
  assert.deepEqual([replaced.status, made.status], [404, 201])
  assert.deepEqual([again.code, again.stdout], [1, ''])
  assert.match(again.stderr, /^kontor: Users already exist/)
})

test('A server that is used only with keys never logs a setup link', async (t) => {
  const data = temporaryDirectory(t)
  const client = await firstClient(data, 'http://nowhere')

  for (let n = 0; n < 2; n++) {
    const { first, stop } = await serve(t, data)
    assert.deepEqual(Object.keys(first).sort(), ['level', 'msg', 'time', 'url'])
    await stop()
  }

  const { stdout } = await run(bundle, ['setup-link', '--data', data])
  assert.match(stdout, /works once, within 24 hours:\n\n {2}\/setup#[\w-]{43}\n$/)
  assert.ok(client.key)
})
