import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundle, executable, median, residentMiB } from './processes.ts'

const rounds = 15

/** From exec to the first response of a sandbox, compared with the time the same runtime takes to print its version. */
export async function benchStart(): Promise<void> {
  const artefacts: Record<string, [string, ...string[]]> = {
    'dist/kontor.cjs': [process.execPath, bundle],
    'dist/kontor': [executable],
  }
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(artefacts).map((name) => [name, []]))
  const memory: Record<string, number[]> = structuredClone(times)
  const version: number[] = []
  for (let round = 0; round < rounds; round++) {
    version.push(timeOf(() => execFileSync(process.execPath, ['--version'])))
    for (const [name, command] of Object.entries(artefacts)) {
      const { ms, miB } = await firstResponse(command)
      times[name]!.push(ms)
      memory[name]!.push(miB)
    }
  }
  const base = median(version)
  console.log(`The runtime prints its version in ${base.toFixed(1)} ms.\n`)
  console.log('| artefact | first response, ms | resident idle, MiB |\n| --- | ---: | ---: |')
  for (const name of Object.keys(artefacts)) {
    console.log(`| ${name} | ${median(times[name]!).toFixed(1)} | ${median(memory[name]!).toFixed(0)} |`)
  }
}

async function firstResponse([command, ...args]: [string, ...string[]]): Promise<{ ms: number; miB: number }> {
  const begin = performance.now()
  const child = spawn(command, [...args, 'sandbox'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, key } = JSON.parse(line)
  const response = await fetch(`${url}/api-v1-organizations`, { headers: { Authorization: `Bearer ${key}` } })
  await response.text()
  const ms = performance.now() - begin
  const miB = residentMiB(child)
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { ms, miB }
}

function timeOf(run: () => void): number {
  const begin = performance.now()
  run()
  return performance.now() - begin
}
