import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { type Command, executable, launch, run } from '../support/program.ts'

// Imitates the image of the Dockerfile without a container engine: an empty root with the executable and its libraries.

const user = 10_001

/** Copies the executable and its libraries to their paths below `root`. */
function fillRoot(root: string): void {
  const libraries = execFileSync('ldd', [executable[0]], { encoding: 'utf8' }).match(/\/\S+(?= \()/g)!
  for (const library of libraries) copyInto(root, library, library)
  copyInto(root, executable[0], '/usr/local/bin/kontor')
  mkdirSync(join(root, 'data'))
}

function copyInto(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  copyFileSync(from, join(root, to))
}

function mayIsolate(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return process.getuid!() === 0
  } catch {
    return false
  }
}

/** What the image sets, but a free port. */
function imageEnvironment(): NodeJS.ProcessEnv {
  const [line] = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8').match(/(?<=^ENV ).*/m)!
  const settings = line.split(' ').map((pair) => pair.split('=') as [string, string])
  return { ...Object.fromEntries(settings), KONTOR_PORT: '0', PATH: `${process.env.PATH}:/usr/sbin` }
}

/** The command that runs Kontor as a user in a read-only root with the libraries and the data directory. */
function isolate(t: TestContext, userAndGroup: string): Command {
  const directory = temporaryDirectory(t)
  const [root, data] = [join(directory, 'root'), join(directory, 'data')]
  for (const each of [root, data]) mkdirSync(each)
  chownSync(data, user, 0)
  chmodSync(data, 0o770)
  fillRoot(root)
  const script = `mount --bind ${root} ${root} && mount -o remount,bind,ro ${root} && mount --bind ${data} ${root}/data &&
    exec chroot --userspec=${userAndGroup} --groups= ${root} /usr/local/bin/kontor "$@"`
  return ['unshare', '--mount', 'sh', '-c', script, 'sh']
}

const skip = mayIsolate() ? false : 'requires root and permission to mount'
const env = imageEnvironment()

for (const userAndGroup of [`${user}:0`, '12345:0']) {
  test(`The executable serves as ${userAndGroup} in a read-only root that contains only its libraries and the data directory`, {
    skip,
  }, async (t) => {
    const isolated = isolate(t, userAndGroup)

    const { first, stop } = await launch(t, isolated, ['serve'], { env })
    const { port } = new URL(first.url!)
    const ready = await run(isolated, ['ready', '--port', port], { env })

    assert.equal(ready.code, 0, ready.stderr)
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
    assert.equal(await stop(), 0)
  })
}

test('With the settings of the image, the sandbox listens on all addresses, so that its port can be published', {
  skip,
}, async (t) => {
  const { first, stop } = await launch(t, isolate(t, '12345:0'), ['sandbox', '--seed', 'demo'], { env })
  const { hostname, port } = new URL(first.url!)

  const headers = { Authorization: `Bearer ${first.key}` }
  const response = await fetch(`http://127.0.0.1:${port}/api-v1-deals`, { headers })

  assert.equal(hostname, '0.0.0.0')
  assert.equal(response.status, 200)
  assert.equal(await stop(), 0)
})

test('On Linux, the executable needs only libraries of libc6, libgcc-s1, libstdc++6 and libatomic1, which the documents name', {
  skip: process.platform === 'linux' ? false : 'this is not Linux',
}, () => {
  const listed = execFileSync('ldd', [executable[0]], { encoding: 'utf8' })
  const names = listed.match(/[\w+-]+\.so\.\d+/g)!.filter((name) => !name.startsWith('linux-vdso'))

  const known = /^(?:ld-linux-(?:x86-64|aarch64)|lib(?:c|m|dl|pthread|gcc_s|stdc\+\+|atomic))\.so\.\d$/
  assert.deepEqual(
    names.filter((name) => !known.test(name)),
    [],
  )
  for (const page of ['README.md', 'docs/operations.md']) {
    assert.match(readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'), /apt install libstdc\+\+6 libatomic1/)
  }
})
