import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('../../../', import.meta.url).pathname
const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

interface NotRun {
  reason: string
  /** The options that the program has, among those that pages use. */
  options: string
  check?: (words: string[]) => void
}

/** The programs that a page may call and that no test can run. What one of them would start of `kontor` runs. */
export const notRun: Record<string, NotRun> = {
  apt: { reason: 'changes the machine; test/e2e/deb installs the package', options: '' },
  systemctl: { reason: 'needs systemd', options: '--now', check: isUnit },
  journalctl: { reason: 'needs systemd', options: '-u -o' },
  'systemd-run': { reason: 'needs systemd', options: '--pipe --wait --collect -p' },
  docker: {
    reason: 'needs a daemon; test/e2e/container reads the Dockerfile',
    options: '-f -d -t -v -p --build --name --read-only --cap-drop',
  },
  npm: {
    reason: 'loads packages, or builds; test/e2e/release.slow installs the package',
    options: '--save-dev -g --silent',
    check: isScript,
  },
  npx: { reason: 'loads packages', options: '--no -o' },
  node: { reason: 'runs the tests', options: '--version --test --test-concurrency', check: filesExist },
  xattr: { reason: 'is a program of macOS', options: '-d' },
  codesign: { reason: 'is a program of macOS', options: '--force --sign -' },
  claude: { reason: 'is a program of others; test/mcp speaks its protocol', options: '--transport --header' },
  litestream: { reason: 'needs an object store', options: '-o' },
  garage: {
    reason: 'is an object store; test/e2e/files-in-s3 has one of its own',
    options: '-z -c -q --version --read --write --key --show-secret',
  },
}

/** Those that run where they are installed. */
export const ifInstalled: Record<string, string> = {
  etcdctl: '--endpoints --cacert --cert --key --prefix',
  socat: '-',
}

/** Checks a call of a program that did not run: its options, and the files and scripts of this project that it names. */
export function checkCall(call: string): void {
  const [program = '', ...words] = call.split('\0')
  const { options, check } = notRun[program] ?? { options: ifInstalled[program]!, check: undefined }
  const known = options.split(' ')
  const line = call.replaceAll('\0', ' ')
  const kontor = words.findIndex((word, at) => /(^|\/)kontor$/.test(word) && /^[a-z][a-z-]*$/.test(words[at + 1] ?? ''))
  const own = kontor < 0 ? words : words.slice(0, kontor)
  for (const word of own.filter((each) => each.startsWith('-'))) {
    assert.ok(known.includes(word.split('=')[0]!), `${line}: is ${word} an option? Add it to ${import.meta.filename}`)
  }
  for (const [, named] of line.matchAll(/kontor[-_](\d+\.\d+\.\d+)/g)) assert.equal(named, version, line)
  for (const [, file] of line.matchAll(/ -f (\S+)/g)) assert.ok(globSync(file!, { cwd: root }).length > 0, line)
  check?.(words)
}

function isUnit(words: string[]): void {
  const verbs = ['status', 'daemon-reload', 'enable', 'restart']
  const names = words.filter((word) => !word.startsWith('-'))
  assert.ok(verbs.includes(names[0]!) && [undefined, 'kontor'].includes(names[1]), names.join(' '))
}

function isScript(words: string[]): void {
  const [verb, name] = words.filter((word) => !word.startsWith('-'))
  if (verb === 'ci' || verb === 'install') return
  const script = verb === 'run' ? name! : verb!
  assert.ok(script in scripts, `npm ${words.join(' ')}: no script ${script}`)
}

function filesExist(words: string[]): void {
  for (const path of words.filter((word) => !word.startsWith('-'))) {
    assert.ok(globSync(path, { cwd: root }).length > 0, `node ${words.join(' ')}: no file ${path}`)
  }
}
