import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { within } from '../../support/wait.ts'

export interface Output {
  /** Whether every command succeeded. */
  isDone: boolean
  stdout: string
  stderr: string
}

/** In milliseconds. An import on a busy machine takes some seconds. */
const limitMs = 240_000

export type Terminal = (commands: string) => Promise<Output>

/** Reads commands from descriptor 3, each with a NUL at its end, and writes a line to descriptor 4 when they have ended. */
const loop = `set -e -o pipefail
while IFS= read -r -d '' commands <&3; do
  eval "$commands" </dev/null >"$OUTPUT/stdout" 2>"$OUTPUT/stderr" 3<&- 4>&-
  echo done >&4
done`

/** Opens a shell that keeps its directory, variables and functions from one call to the next. The first command that fails ends it. */
export function openTerminal(
  t: Pick<TestContext, 'after'>,
  { cwd, output, env }: { cwd: string; output: string; env: NodeJS.ProcessEnv },
): Terminal {
  const shell = spawn('bash', ['-c', loop], {
    ...{ cwd, env: { ...env, OUTPUT: output } },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  t.after(() => shell.kill('SIGKILL'))
  const input = shell.stdio[3] as Writable
  input.on('error', () => {}) // the shell has ended
  const lines = createInterface({ input: shell.stdio[4] as NodeJS.ReadableStream })
  const ended = once(lines, 'close')
  return async (commands) => {
    input.write(`${commands}\0`)
    const [line] = await within(`it has ended: ${commands}`, Promise.race([once(lines, 'line'), ended]), { limitMs })
    const [stdout, stderr] = ['stdout', 'stderr'].map((name) => readFileSync(join(output, name), 'utf8'))
    return { isDone: line === 'done', stdout: stdout!, stderr: stderr! }
  }
}
