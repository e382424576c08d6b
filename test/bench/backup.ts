import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, type Load, measure, median } from './processes.ts'
import { organizationBody, served } from './served.ts'

const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const bytesWanted = 2 ** 30

/** p99 with and without a running backup of a 1 GB file, under load from 32 connections. */
export async function benchBackup(): Promise<void> {
  const kontor = await served()
  await fill(kontor)
  const { url, headers } = kontor
  const cases: Record<string, Omit<Load, 'seconds'>> = {
    'GET by id': { url: `${url}/${kontor.ids[500]}`, headers },
    'POST create': { url, headers, method: 'POST', body: organizationBody },
  }
  console.log('| request | p99 ms | p99 ms during a backup | factor |\n| --- | ---: | ---: | ---: |')
  for (const [name, load] of Object.entries(cases)) {
    await measure({ ...load, seconds })
    const pairs: [without: number, during: number][] = []
    for (let round = 0; round < rounds; round++) {
      execFileSync('sync') // so that the disk is idle before the round
      const without = await measure({ ...load, seconds })
      const backup = await backUp(kontor.data)
      const during = await measure({ ...load, seconds })
      if (backup.hasEnded()) throw new Error('The backup ended before the measurement did: BENCH_SECONDS is too large')
      await backup.ended
      pairs.push([without.p99, during.p99])
    }
    const factor = median(pairs.map(([without, during]) => during / without))
    const cells = [0, 1].map((which) => median(pairs.map((pair) => pair[which]!)))
    console.log(`| ${name} | ${cells.join(' | ')} | ${factor.toFixed(2)} |`)
  }
  await kontor.close()
}

async function fill({ url, headers, data }: Awaited<ReturnType<typeof served>>): Promise<void> {
  const body = JSON.stringify({ name: 'Large', metadata: { text: 'x'.repeat(60_000) } })
  const post = async () => (await fetch(url, { method: 'POST', headers, body })).text()
  const bytes = () => ['', '-wal'].reduce((sum, suffix) => sum + statSync(join(data, `kontor.db${suffix}`)).size, 0)
  while (bytes() < bytesWanted) await Promise.all(Array.from({ length: 32 }, post))
}

async function backUp(data: string) {
  const directory = join(data, 'backups')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  const file = join(directory, 'backup.db')
  const child = spawn(process.execPath, [bundle, 'backup', file, '--data', data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'spawn')
  return { ended: once(child, 'exit'), hasEnded: () => child.exitCode !== null }
}
