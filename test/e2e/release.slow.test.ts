import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { writeModules } from '../../src/packaging/release/npm-package.ts'
import { targets } from '../../src/packaging/release/runtimes.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { administer, type Command, launch, run } from '../support/program.ts'
import { npm, release } from './release.ts'

// Releases Kontor twice without executables, and installs the package from npm as a user would. It needs access to the registry of npm.

const root = new URL('../../', import.meta.url).pathname
const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** A version of the oldest line that Kontor supports. */
const oldest = '22.23.3'

const ends: (() => void)[] = []
const whole = { after: (end: () => void) => ends.push(end) } as unknown as TestContext
after(() => {
  for (const end of ends.reverse()) end()
})

const releases = [join(temporaryDirectory(whole), 'one'), join(temporaryDirectory(whole), 'two')] as const
const project = temporaryDirectory(whole)

before(async () => {
  const [made] = await Promise.all(releases.map(release))
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  const { code, stderr } = await npm(['install', made!], project)
  assert.equal(code, 0, stderr)
})

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** The directory of that version; downloaded once. */
async function oldestNode(): Promise<string> {
  const cache = join(root, 'node_modules/.cache/node-oldest')
  const bin = join(cache, `node_modules/node-linux-${process.arch}/bin`)
  const isThere = () =>
    existsSync(bin) && execFileSync(join(bin, 'node'), ['-v'], { encoding: 'utf8' }) === `v${oldest}\n`
  if (isThere()) return bin
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}')
  const { stderr } = await npm(['install', `node-linux-${process.arch}@${oldest}`], cache)
  assert.ok(isThere(), stderr)
  return bin
}

test('Two releases of the same sources have the same bytes', () => {
  const [one, two] = releases.map((directory) =>
    readdirSync(directory).map((name) => [name, digestOf(join(directory, name))]),
  )

  assert.deepEqual(
    one!.map(([name]) => name),
    ['LICENSES.txt', 'SHA256SUMS', `kontor-${version}.cdx.json`, `kontor-${version}.tgz`],
  )
  assert.deepEqual(one, two)
})

test('SHA256SUMS has the digest of every other file', () => {
  const lines = readFileSync(join(releases[0], 'SHA256SUMS'), 'utf8').trimEnd().split('\n')

  const expected = readdirSync(releases[0])
    .filter((name) => name !== 'SHA256SUMS')
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(releases[0], name)))
          .digest('hex')}  ${name}`,
    )
  assert.deepEqual(lines, expected)
})

test('The SBOM lists what LICENSES.txt has a license of, and SQLite', () => {
  const bom = JSON.parse(readFileSync(join(releases[0], `kontor-${version}.cdx.json`), 'utf8'))
  const licenses = readFileSync(join(releases[0], 'LICENSES.txt'), 'utf8')

  const listed = bom.components.map((each: Record<string, string>) => `${each.name} ${each.version}`)
  const licensed = [...licenses.matchAll(/^-{80}\n\n(\S+ [\d.]+) \(/gm)].map(([, name]) => name)
  assert.equal(bom.bomFormat, 'CycloneDX')
  assert.ok(licensed.length > 20)
  assert.deepEqual(
    licensed.filter((name) => !listed.includes(name)),
    [],
  )
  assert.deepEqual(
    listed.filter((name: string) => !licensed.includes(name)).map((name: string) => name.split(' ')[0]),
    ['nodejs', 'sqlite'],
  )
  assert.deepEqual([bom.serialNumber, bom.metadata.timestamp], [undefined, undefined])
})

test('The executables have the version of Node.js that the project uses', () => {
  assert.equal(process.versions.node, devDependencies.node)
  assert.equal(new Set(targets.map(({ runtime }) => runtime.integrity)).size, 5)
})

for (const [name, findBin] of [
  [oldest, oldestNode],
  [process.versions.node, async () => dirname(process.execPath)],
] as const) {
  test(`The installed package runs under Node.js ${name}: npx kontor sandbox, and a server with its threads`, async (t) => {
    const env = { PATH: `${await findBin()}:${process.env.PATH}` }
    const options = { cwd: project, env }
    const npx: Command = ['npx', '--no-install', 'kontor']
    const installed: Command = [join(project, 'node_modules/.bin/kontor')]

    assert.equal(execFileSync('node', ['-v'], { env: { ...process.env, ...env }, encoding: 'utf8' }), `v${name}\n`)
    assert.equal((await run(npx, ['--version'], options)).stdout, `${version}\n`)
    const sandbox = await launch(t, npx, ['sandbox', '--seed', 'demo'], { ...options, starts: true })
    const { url, key: testKey } = sandbox.first
    const { body } = await clientFor(url!, { id: '', key: testKey! }).get('/api-v1-organizations')
    assert.equal(body.pagination.total, 40)
    assert.equal((await fetch(`${url}/docs/ui.js`)).status, 200)
    await sandbox.stop()

    const data = join(temporaryDirectory(t), 'data')
    const server = await launch(t, installed, ['serve', '--data', data, '--port', '0'], options)
    const inData = (...args: string[]) => administer(installed, ...args, '--data', data)
    const { id } = await inData('company', 'create', '--name', 'Acme')
    const key = await inData('key', 'create', '--company', id, '--name', 'First', '--scopes', 'admin:all')
    const client = clientFor(server.first.url!, key)
    await make(client, 'organization', { name: 'Nordwind' })
    assert.match((await client.get('/api-v1-snapshot?types=organization')).body, /"Nordwind"/)
    assert.equal(await server.stop(), 0)
  })

  test(`Under Node.js ${name}, ES modules and CommonJS start a sandbox with kontor/test`, async () => {
    const env = { PATH: `${await findBin()}:${process.env.PATH}` }
    const use = `startSandbox().then(async (sandbox) => {
      const { now } = await connectSandbox(sandbox).clock.freeze('2026-01-05')
      const error = await sandbox.reset('none').catch((reason) => reason)
      await sandbox.close()
      console.log(process.versions.node, now, error instanceof SandboxError)
    })`
    const names = '{ connectSandbox, SandboxError, startSandbox }'
    const programs = {
      module: `import ${names} from 'kontor/test'; ${use}`,
      commonjs: `const ${names} = require('kontor/test'); ${use}`,
    }

    for (const [type, source] of Object.entries(programs)) {
      const { stdout, stderr } = await run(['node'], [`--input-type=${type}`, '-e', source], { cwd: project, env })
      assert.equal(stdout, `${name} 2026-01-05T00:00:00.000Z true\n`, stderr)
    }
  })
}

test('A module of the package is bundled, with its types', async (t) => {
  const directory = temporaryDirectory(t)

  const exports = await writeModules({ './setting': 'src/lib/public-url.ts' }, directory)

  assert.deepEqual(exports, {
    './setting': { types: './types/lib/public-url.d.ts', import: './setting.mjs', require: './setting.cjs' },
  })
  for (const name of ['setting.mjs', 'setting.cjs']) {
    assert.equal(typeof (await import(pathToFileURL(join(directory, name)).href)).publicUrl, 'object')
  }
  assert.match(readFileSync(join(directory, 'types/lib/public-url.d.ts'), 'utf8'), /export interface PublicUrl/)
})
