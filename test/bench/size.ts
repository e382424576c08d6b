import { execFileSync } from 'node:child_process'
import { constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generated, scaled } from './generate.ts'
import { bundle, measure, median, residentMiB, serving, start, stop } from './processes.ts'
import { generatedBig, times } from './running.ts'

const rounds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const MiB = 2 ** 20

interface Measured {
  fileMiB: number
  /** The time from the start of the program until it listens. */
  startMs: number
  /** Resident memory right after the start. */
  startedMiB: number
  createsPerSecond: number
  loadedMiB: number
  backupSeconds: number
  checkSeconds: number
}

/** Compares running a large file with one of 1,000 contacts. BENCH_TIMES sets how many thousand contacts the large one has. */
export async function benchSize(): Promise<void> {
  const small = await measureOn(generated(scaled(1), 0))
  const large = await measureOn(generatedBig())
  console.log(`| contacts, and all else that belongs to them | 1,000 | ${(times * 1000).toLocaleString('en')} |`)
  console.log('| --- | ---: | ---: |')
  const row = (name: string, of: (measured: Measured) => number, digits = 0) =>
    console.log(`| ${name} | ${of(small).toFixed(digits)} | ${of(large).toFixed(digits)} |`)
  row('database file, MiB', ({ fileMiB }) => fileMiB)
  row('from start to listening, ms', ({ startMs }) => startMs)
  row('resident memory then, MiB', ({ startedMiB }) => startedMiB)
  row('contacts created a second, 32 connections, durable', ({ createsPerSecond }) => createsPerSecond)
  row('resident memory after that, MiB', ({ loadedMiB }) => loadedMiB)
  row('`kontor backup`, s', ({ backupSeconds }) => backupSeconds, 1)
  row('`kontor check`, s', ({ checkSeconds }) => checkSeconds, 1)
  console.log()
}

async function measureOn({ directory, key }: { directory: string; key: string }): Promise<Measured> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const path = join(data, 'kontor.db')
  copyFileSync(join(directory, 'kontor.db'), path, constants.COPYFILE_FICLONE)
  const fileMiB = statSync(path).size / MiB
  const starts = [await startOn(data)]
  while (starts.length < rounds) {
    await stop(starts.at(-1)!.child)
    starts.push(await startOn(data))
  }
  const { child, url } = starts.at(-1)!
  const startedMiB = residentMiB(child)
  const load = { url: `${url}/api-v1-contacts`, method: 'POST' as const, seconds }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ first_name: 'Ada', last_name: 'Weber', emails: [{ email: 'ada@mueller.example' }] })
  const { rate } = await measure({ ...load, headers, body })
  const loadedMiB = residentMiB(child)
  await stop(child)
  const backup = timed('backup', `${data}.db`, '--data', data)
  const check = timed('check', '--data', data)
  for (const each of [data, `${data}.db`]) rmSync(each, { recursive: true })
  const startMs = median(starts.map(({ ms }) => ms))
  return { fileMiB, startMs, startedMiB, createsPerSecond: rate, loadedMiB, backupSeconds: backup, checkSeconds: check }
}

async function startOn(data: string) {
  const command = serving(data)
  const began = performance.now()
  const { child, first } = await start('0-1', command, { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off' })
  return { child, url: first.url, ms: performance.now() - began }
}

/** The seconds that a command takes. */
function timed(...args: string[]): number {
  const began = performance.now()
  execFileSync(process.execPath, [bundle, ...args], { stdio: 'ignore' })
  return (performance.now() - began) / 1000
}
