import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assets } from '../../src/packaging/assets.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, executable, launch, run } from '../support/program.ts'

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} still has acknowledged writes after a restart`, async (t) => {
    const data = join(temporaryDirectory(t), 'data')
    const serve = ['serve', '--data', data, '--port', '0']
    const first = await launch(t, command, serve)
    const client = await firstClient(data, first.first.url!)
    const { id } = await make(client, 'organization', { name: 'Nordwind', status: 'active' })
    await make(client, 'organization', { name: 'Südwind' })
    await make(client, 'contact', { organization_id: id, emails: [{ email: 'ada@nordwind.example' }] })

    assert.equal(first.first.msg, 'listening')
    assert.equal(await first.stop('SIGTERM'), 0)
    const second = await launch(t, command, serve)
    const again = clientFor(second.first.url!, { id: client.keyId, key: client.key })

    assert.equal((await again.get(`/api-v1-organizations/${id}`)).body.data.name, 'Nordwind')
    assert.equal((await again.get('/api-v1-organizations')).body.pagination.total, 2)
    assert.equal((await again.get('/api-v1-organizations?name[like]=SÜD')).body.data[0].name, 'Südwind')
    assert.equal((await again.get('/api-v1-contacts?email=ada@nordwind.example')).body.data.length, 1)
    assert.equal(await second.stop('SIGINT'), 0)
  })
}

test('The bundled file is ASCII, of which a runtime keeps one byte per character', () => {
  const beyond = readFileSync(bundle[1]!).filter((byte) => byte > 0x7f)

  assert.equal(beyond.length, 0)
})

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} prints and serves the same OpenAPI document, and contains every file of /docs`, async (t) => {
    const { first } = await launch(t, command, ['serve', '--data', temporaryDirectory(t), '--port', '0'])
    const [printed, served] = await Promise.all([run(command, ['openapi']), fetch(`${first.url}/openapi.json`)])

    assert.deepEqual(JSON.parse(printed.stdout), await served.json())
    for (const [asset, path] of Object.entries(assets).filter(([asset]) => asset.startsWith('docs/'))) {
      const sent = Buffer.from(
        await (await fetch(`${first.url}/${asset.replace('docs/page.html', 'docs')}`)).arrayBuffer(),
      )
      assert.ok(sent.equals(readFileSync(new URL(`../../${path}`, import.meta.url))), asset)
    }
  })
}

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} contains the license of each of its dependencies and of Node.js`, async () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

    const { code, stdout } = await run(command, ['licenses'])

    const named = new Set(stdout.match(/^(\S+)(?= v?\d[\d.]* \()/gm))
    assert.equal(code, 0)
    assert.deepEqual(
      [...Object.keys(dependencies), 'Node.js'].filter((each) => !named.has(each)),
      [],
    )
    assert.match(stdout, /Apache License/)
    const sections = stdout.split(`\n${'-'.repeat(80)}\n\n`).filter((text) => /^\S+ v?\d[\d.]* \(/.test(text))
    assert.deepEqual(
      sections.filter((text) => text.length < 500),
      [],
    )
  })
}

test('dist/kontor.cjs runs in a directory that contains no other file', async (t) => {
  const directory = temporaryDirectory(t)
  copyFileSync(bundle[1]!, join(directory, 'kontor.cjs'))

  const { first, stop } = await launch(t, [process.execPath, 'kontor.cjs'], ['serve', '--port', '0'], {
    cwd: directory,
  })

  assert.equal((await fetch(`${first.url}/healthz`)).status, 200)
  assert.ok(existsSync(join(directory, 'data/kontor.db')))
  assert.equal(await stop(), 0)
})

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path) && majorOf(path) < 22)

test('A version of Node.js that is too old exits with one sentence', {
  skip: oldNode ? false : 'no Node older than 22 is installed',
}, async () => {
  const { code, stdout, stderr } = await run([oldNode!, bundle[1]!], ['serve'])

  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^Kontor needs Node\.js 22 or newer; this is v\d+\.\d+\.\d+\.\n$/)
})

for (const script of ['build.mjs', 'release.mjs']) {
  test(`${script} says which version of Node.js it needs`, {
    skip: oldNode ? false : 'no Node older than 22 is installed',
  }, async () => {
    const path = new URL(`../../${script}`, import.meta.url).pathname

    const { code, stdout, stderr } = await run([oldNode!, path], [])

    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      new RegExp(`^${script} needs Node\\.js 26 or newer; this is v[\\d.]+\\. Run it with "npm run", .*\\.\\n$`),
    )
  })
}

function majorOf(path: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))![1])
}
