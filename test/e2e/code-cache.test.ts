import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, launch, run } from '../support/program.ts'
import { until } from '../support/wait.ts'

/** The files of compiled code below a directory for temporary files. */
function codeFiles(temporary: string): string[] {
  const [directory] = readdirSync(temporary)
  return directory === undefined
    ? []
    : readdirSync(join(temporary, directory))
        .filter((name) => name.endsWith('.code'))
        .map((name) => join(temporary, directory, name))
}

function launchSandbox(t: TestContext, temporary: string) {
  return launch(t, bundle, ['sandbox', '--port', '0'], { env: { TMPDIR: temporary } })
}

function withDigest(data: Buffer): Buffer {
  return Buffer.concat([hash('sha256', data, 'buffer'), data])
}

test('A server keeps its compiled code for the next start, and replaces a file that is damaged', async (t) => {
  const temporary = temporaryDirectory(t)
  const first = await launchSandbox(t, temporary)
  const path = await until('the code is kept', () => codeFiles(temporary)[0])
  assert.equal(await first.stop(), 0)
  const kept = readFileSync(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(kept, withDigest(kept.subarray(32)))

  const damages = {
    'the second half is empty, as after a power cut': Buffer.concat([
      kept.subarray(0, kept.length / 2),
      Buffer.alloc(kept.length / 2),
    ]),
    'it is empty': Buffer.alloc(0),
    'it is not of V8': withDigest(Buffer.alloc(1_000, 'x')),
    'it ends early': withDigest(kept.subarray(32, kept.length / 2)),
  }
  for (const [damage, content] of Object.entries(damages)) {
    writeFileSync(path, content)
    const { stop } = await launchSandbox(t, temporary)
    const length = await until(`the code is kept again although ${damage}`, () => statSync(path).size, {
      is: (size) => size > 1_000_000,
    })
    assert.equal(readFileSync(path).length, length)
    assert.equal(await stop(), 0, damage)
  }
  assert.deepEqual(codeFiles(temporary), [path])
})

test('A command with code that was kept prints what it prints without', async (t) => {
  const [empty, temporary] = [temporaryDirectory(t), temporaryDirectory(t)]
  const { stop } = await launchSandbox(t, temporary)
  await until('the code is kept', () => codeFiles(temporary)[0])
  assert.equal(await stop(), 0)

  for (const args of [['openapi'], ['--help'], ['serve', '--no-such-option']]) {
    const with_ = await run(bundle, args, { env: { TMPDIR: temporary } })
    assert.deepEqual(with_, await run(bundle, args, { env: { TMPDIR: empty } }), args.join(' '))
  }
})

test('Code that somebody else could write is not run, and code that is a month old is removed', async (t) => {
  const temporary = temporaryDirectory(t)
  const first = await launchSandbox(t, temporary)
  const path = await until('the code is kept', () => codeFiles(temporary)[0])
  assert.equal(await first.stop(), 0)
  const [kept, old] = [readFileSync(path), path.replace(/[^/]+$/, '0.code')]
  const places: Record<string, () => void> = {
    'that others may write': () => chmodSync(path, 0o666),
    'behind a link': () => {
      writeFileSync(old, kept)
      rmSync(path)
      symlinkSync(old, path)
    },
    'in a pipe': () => {
      rmSync(path)
      execFileSync('mkfifo', [path])
    },
  }
  for (const [place, put] of Object.entries(places)) {
    put()
    writeFileSync(old, kept)
    utimesSync(old, 0, 0)
    const { stop } = await launchSandbox(t, temporary)
    await until(`code ${place} is replaced`, () => lstatSync(path), {
      is: (stats) => stats.isFile() && (stats.mode & 0o777) === 0o600,
    })
    await until('the old code is removed', () => codeFiles(temporary).length === 1)
    assert.equal(await stop(), 0, place)
  }
})

test('A program whose file is cut off or damaged says so', async (t) => {
  const path = join(temporaryDirectory(t), 'kontor.cjs')
  const whole = readFileSync(bundle[1]!)
  const cut = [whole.length - 1, whole.length - 1_000, 100_000].map((length) => whole.subarray(0, length))
  const damaged = Buffer.from(whole)
  damaged.fill('A', whole.lastIndexOf('\n//main ') + 1_000, whole.lastIndexOf('\n//main ') + 1_100)
  for (const content of [...cut, damaged]) {
    writeFileSync(path, content)
    const { code, stderr } = await run([process.execPath, path], ['--version'])
    assert.deepEqual([code, /^kontor: \S+ is incomplete or damaged, .+\.\n$/.test(stderr)], [1, true], stderr)
  }
})

test('A command runs without a private directory for temporary files', async (t) => {
  const temporary = temporaryDirectory(t)
  const open = join(temporary, `kontor-${process.getuid?.() ?? 0}`)
  mkdirSync(open)
  chmodSync(open, 0o777) // as if somebody else had made it
  for (const TMPDIR of [temporary, '/proc/none']) {
    const { code, stdout } = await run(bundle, ['--version'], { env: { TMPDIR } })
    assert.equal(code, 0, TMPDIR)
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/, TMPDIR)
  }
})
