import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { executable, launch } from '../support/program.ts'

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

test('The executable serves as an unprivileged user in a read-only root that contains only its libraries and the data directory', {
  skip: mayIsolate() ? false : 'requires root and permission to mount',
}, async (t) => {
  const directory = temporaryDirectory(t)
  const [root, data] = [join(directory, 'root'), join(directory, 'data')]
  for (const each of [root, data]) mkdirSync(each)
  chownSync(data, user, user)
  fillRoot(root)
  const isolate = `mount --bind ${root} ${root} && mount -o remount,bind,ro ${root} && mount --bind ${data} ${root}/data &&
    exec chroot --userspec=${user}:${user} ${root} /usr/local/bin/kontor "$@"`
  const isolated = ['unshare', '--mount', 'sh', '-c', isolate, 'sh'] as const

  const env = { TMPDIR: '/data', PATH: `${process.env.PATH}:/usr/sbin` }

  const { first, stop } = await launch(t, isolated, ['serve', '--data', '/data', '--port', '0'], { env })
  const ready = [...isolated.slice(1), 'ready', '--port', new URL(first.url!).port]
  execFileSync(isolated[0], ready, { env: { ...process.env, ...env } })

  assert.equal((await fetch(`${first.url}/readyz`)).status, 200)
  assert.equal(await stop(), 0)
})
