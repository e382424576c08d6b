import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeDeb } from '../../src/packaging/release/deb.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { withoutDpkg } from '../support/needs.ts'
import { bundle, run } from '../support/program.ts'

const suffix = `linux-${process.arch}`

/** Runs dpkg on a file system of its own, in which the packages that this one depends on are missing. */
function dpkg(root: string, ...args: string[]): string {
  const options = [`--root=${root}`, '--force-script-chrootless', '--force-depends', '--force-not-root']
  return execFileSync('dpkg', [...options, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

/** A file system in which nothing is installed, and the package. */
function prepare(t: TestContext) {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'kontor.deb')
  const root = join(directory, 'root')
  for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/kontor'])
    mkdirSync(join(root, path), { recursive: true })
  for (const name of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', name), '')
  const executable = bundle[1]! // smaller than an executable
  writeDeb({ version: '9.8.7', suffix, executable }, join(directory, 'content'), file)
  return { file, root }
}

test('The Debian package installs a program, a unit, a user and settings, and its removal keeps settings and data', {
  skip: withoutDpkg,
}, async (t) => {
  const { file, root } = prepare(t)
  const at = (path: string) => join(root, path)
  writeFileSync(at('var/lib/kontor/kontor.db'), 'data')

  dpkg(root, '--install', file)
  const { stdout } = await run([at('usr/bin/kontor')], ['--version'])
  const unit = readFileSync(at('usr/lib/systemd/system/kontor.service'), 'utf8')
  const mode = (path: string) => (statSync(at(path)).mode & 0o777).toString(8)

  assert.match(stdout, /^\d+\.\d+\.\d+/)
  assert.match(unit, /^ExecStart=\/usr\/bin\/kontor serve$/m)
  assert.match(unit, /^EnvironmentFile=-\/etc\/kontor\.env$/m)
  assert.deepEqual([mode('usr/bin/kontor'), mode('etc/kontor.env')], ['755', '640'])
  assert.match(readFileSync(at('usr/lib/sysusers.d/kontor.conf'), 'utf8'), /^u kontor /)
  assert.match(dpkg(root, '--status', 'kontor'), /^Depends: libc6 \(>= 2\.28\), libstdc\+\+6, libatomic1$/m)
  assert.match(dpkg(root, '--status', 'kontor'), /^Version: 9\.8\.7$/m)

  writeFileSync(at('etc/kontor.env'), 'KONTOR_PORT=9090\n')
  dpkg(root, '--install', file) // an upgrade keeps changed settings
  const kept = readFileSync(at('etc/kontor.env'), 'utf8')
  dpkg(root, '--remove', 'kontor')
  const removed = [existsSync(at('usr/bin/kontor')), existsSync(at('etc/kontor.env'))]
  dpkg(root, '--purge', 'kontor')

  assert.equal(kept, 'KONTOR_PORT=9090\n')
  assert.deepEqual(removed, [false, true])
  assert.deepEqual([existsSync(at('etc/kontor.env')), existsSync(at('var/lib/kontor/kontor.db'))], [false, true])
})

test('The Debian package enables its service, and an upgrade leaves one disabled that its operator has disabled', {
  skip: withoutDpkg,
}, (t) => {
  const { file, root } = prepare(t)
  const link = join(root, 'etc/systemd/system/multi-user.target.wants/kontor.service')
  const isEnabled = () => lstatSync(link, { throwIfNoEntry: false }) !== undefined
  const states: boolean[] = []
  const after = (...args: string[]) => {
    dpkg(root, ...args)
    states.push(isEnabled())
  }

  after('--install', file)
  after('--install', file)
  rmSync(link) // as `systemctl disable` does
  after('--install', file)
  after('--remove', 'kontor')
  after('--install', file)
  after('--purge', 'kontor')
  after('--install', file)
  after('--purge', 'kontor')

  assert.deepEqual(states, [true, true, false, false, false, false, true, false])
})
