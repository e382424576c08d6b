import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../../support/directory.ts'
import { executable } from '../../support/program.ts'
import { until } from '../../support/wait.ts'
import { ifInstalled, notRun } from './programs.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const root = new URL('../../../', import.meta.url).pathname
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A directory that stands for the machine of a reader, in a clone of this repository. */
export interface Machine {
  /** Stands for `/`. */
  directory: string
  terminal: Terminal
  /** The calls of programs that did not run: words with a NUL between them. */
  calls(): string[]
}

/**
 * `kontor` of the machine. A server is started in the background on a free port, prints its first line, and replaces that of the same data
 * directory; a restore stops that.
 */
const kontor = `#!/bin/bash
data=\${KONTOR_DATA:-./data}
for word; do [[ $before == --data ]] && data=$word; before=$word; done
[[ $1 == sandbox ]] && data=/sandbox-$$
pid="$MACHINE/pids/$(realpath -m "$data" | tr / _)"
if [[ $1 == @(serve|restore) && -f $pid ]]; then
  kill "$(cat "$pid")"
  tail -s 0.05 --pid="$(cat "$pid")" -f /dev/null
fi
if [[ $1 != @(serve|sandbox) ]]; then exec "$KONTOR" "$@"; fi
log=$(mktemp "$MACHINE/logs/XXXXXX")
read -r server < <("$KONTOR" "$@" --port 0 >"$log" 2>"$log.err" & echo $!; wait)
echo "$server" >"$pid"
read -r line < <(tail -s 0.05 -n +1 --pid="$server" -f "$log") || { cat "$log.err" >&2; exit 1; }
echo "$line"
`

/**
 * Stands for a program that does not run. Notes the call, prints the log of the servers if asked for it, and runs what it names of kontor. As
 * each command of Compose does, one fails if a variable that its file requires is neither set nor in the file `.env` beside it.
 */
const standIn = `#!/bin/bash
printf '%s\\0' "\${0##*/}" "$@" >>"$MACHINE/calls"
echo >>"$MACHINE/calls"
if [[ "\${0##*/} $1 $2" == 'docker compose -f' ]]; then
  [[ -f \${3%/*}/.env ]] && . "\${3%/*}/.env"
  for name in $(grep -oP '(?<=[$]{)[A-Z_]+(?=:[?])' "$3"); do
    [[ \${!name} ]] || { echo "required variable $name is missing a value" >&2; exit 1; }
  done
fi
case "\${0##*/} $*" in journalctl*|docker*\\ logs\\ *) cat "$MACHINE"/logs/*; exit;; esac
while (($#)); do
  word=$1; shift
  if [[ $word == @(kontor|*/kontor) && $1 =~ ^[a-z][a-z-]*$ ]]; then
    [[ $1 == ready ]] && exit
    exec "$MACHINE/usr/local/bin/kontor" "$@"
  fi
done
`

/** Prints the status of each response beside it. */
const curlrc = `silent
show-error
write-out = "%{stderr}HTTP %{http_code} %{url_effective}\\n"
`

const folders = [
  ...['home', 'logs', 'output', 'pids', 'stand-ins', 'home/dist', 'usr/local/bin', 'etc/systemd/system', 'etc/haproxy'],
  ...['run/haproxy', 'var/lib', 'var/backups', 'backups', 'tmp'],
]

export function newMachine(t: Pick<TestContext, 'after'>): Machine {
  t.after(() => stopServers(directory))
  const directory = temporaryDirectory(t)
  for (const folder of folders) mkdirSync(join(directory, folder), { recursive: true })
  const path = (...parts: string[]) => join(directory, ...parts)
  const program = (name: string, text: string) => {
    writeFileSync(path(name), text)
    chmodSync(path(name), 0o755)
  }
  program('usr/local/bin/kontor', kontor)
  for (const name of ['dist/kontor', `kontor-${version}-linux-x64`, 'kontor-new']) {
    copyFileSync(path('usr/local/bin/kontor'), path('home', name))
  }
  cpSync(join(root, 'deploy'), path('home/deploy'), { recursive: true })
  symlinkSync('../var/lib/kontor', path('home/data'))
  writeFileSync(path('.curlrc'), curlrc)
  const absent = Object.keys(ifInstalled).filter((name) => !isInstalled(name))
  for (const name of [...Object.keys(notRun), ...absent]) program(`stand-ins/${name}`, standIn)
  const PATH = [path('stand-ins'), path('usr/local/bin'), process.env.PATH].join(delimiter)
  const env = {
    ...process.env,
    PATH,
    MACHINE: directory,
    KONTOR: executable[0],
    SAMPLES: join(root, 'test/samples'),
    CURL_HOME: directory,
    HOME: path('home'),
  }
  return {
    directory,
    terminal: openTerminal(t, { cwd: path('home'), output: path('output'), env }),
    calls: () => (existsSync(path('calls')) ? readFileSync(path('calls'), 'utf8').split('\0\n').slice(0, -1) : []),
  }
}

function isInstalled(program: string): boolean {
  return process.env.PATH!.split(delimiter).some((folder) => existsSync(join(folder, program)))
}

async function stopServers(directory: string): Promise<void> {
  for (const name of readdirSync(join(directory, 'pids'))) {
    const pid = Number(readFileSync(join(directory, 'pids', name), 'utf8'))
    await until('the server has ended', () => !signal(pid, 'SIGKILL'))
  }
}

/** Returns whether the process is there. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
