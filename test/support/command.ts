import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { failureOf } from '../../src/commands/failure.ts'
import { command } from '../../src/commands/program.ts'
import { loadCommands } from '../guard/commands.ts'
import type { Run } from './program.ts'

type Output = Pick<Run, 'stdout' | 'stderr'>

const outputs = new AsyncLocalStorage<Output>()

/** Keeps what a command writes for its test. What others write at the same time goes where it did. */
function keepWrites(name: keyof Output): void {
  const write = process[name].write.bind(process[name]) as (...args: unknown[]) => boolean
  process[name].write = (text: string | Uint8Array, ...rest: unknown[]) => {
    const output = outputs.getStore()
    if (!output) return write(text, ...rest)
    output[name] += text
    return true
  }
}

let keeps = false

/** Runs a command as the program does, in this process: to start the program takes ten times as much of a processor. One at a time. */
export async function runHere(args: readonly string[]): Promise<Run> {
  if (!keeps) for (const name of ['stdout', 'stderr'] as const) keepWrites(name)
  keeps = true
  const program = command('kontor', '').helpOption('--help')
  for (const each of (await loadCommands()).values()) program.addCommand(each)
  const output = { stdout: '', stderr: '' }
  const [exitCode, mask] = [process.exitCode, process.umask(0o077)]
  process.exitCode = undefined
  const code = await outputs.run(output, async () => {
    try {
      await program.parseAsync(args, { from: 'user' })
      return Number(process.exitCode ?? 0)
    } catch (error) {
      const { code, message } = failureOf(error)
      if (message !== undefined) output.stderr += `kontor: ${message}\n`
      return code
    } finally {
      process.exitCode = exitCode
      process.umask(mask)
    }
  })
  return { code, ...output }
}

/** Runs an administrative command in this process. Returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: commands print records of every shape
export async function administerHere(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await runHere([...args, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}
