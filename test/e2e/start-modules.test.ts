import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newCertificate } from '../support/certificate.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { withoutOpenssl } from '../support/needs.ts'
import { bundle, launch } from '../support/program.ts'

/** Starts and stops a server. Returns the modules of Node.js that its event loop has loaded. */
async function modulesOf(t: TestContext, ...options: string[]): Promise<string[]> {
  const directory = temporaryDirectory(t)
  const [hook, list] = [join(directory, 'hook.cjs'), join(directory, 'modules')]
  writeFileSync(
    hook,
    `if (require('node:worker_threads').isMainThread) process.once('exit', () =>
      require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n')))`,
  )
  const server = await launch(t, bundle, ['serve', '--data', directory, '--port', '0', ...options], {
    env: { NODE_OPTIONS: `--require=${hook}` },
  })
  assert.equal(await server.stop(), 0)
  return readFileSync(list, 'utf8').split('\n')
}

test('A server loads TLS only if it has a certificate', { skip: withoutOpenssl }, async (t) => {
  const tls = 'NativeModule tls'
  assert.equal((await modulesOf(t)).includes(tls), false)

  const { tlsCert, tlsKey } = newCertificate(temporaryDirectory(t), 'localhost')
  assert.equal((await modulesOf(t, '--tls-cert', tlsCert, '--tls-key', tlsKey)).includes(tls), true)
})
