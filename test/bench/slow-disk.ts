import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measure, measure, median } from './processes.ts'
import { organizationBody, served } from './served.ts'

const rounds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const delayUs = 1000

/** Durable creates per second with and without an fsync that takes a millisecond longer. */
export async function benchSlowDisk(): Promise<void> {
  const library = join(mkdtempSync(join(tmpdir(), 'kontor-bench-')), 'slow-sync.so')
  const source = new URL('./slow-sync.c', import.meta.url).pathname
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  const asIs = await served()
  const slow = await served({ LD_PRELOAD: library, SLOW_SYNC_US: String(delayUs) })
  const load = ({ url, headers }: typeof asIs) => ({
    url,
    headers,
    method: 'POST' as const,
    body: organizationBody,
    seconds,
  })
  const pairs: [asIs: Measure, slow: Measure][] = []
  for (let round = 0; round < rounds; round++) pairs.push([await measure(load(asIs)), await measure(load(slow))])
  const rate = (which: 0 | 1) => median(pairs.map((pair) => pair[which].rate)).toFixed(0)
  const ratio = median(pairs.map(([without, withDelay]) => withDelay.rate / without.rate))
  console.log('| POST create, requests/s | fsync 1 ms slower | ratio |\n| ---: | ---: | ---: |')
  console.log(`| ${rate(0)} | ${rate(1)} | ${ratio.toFixed(2)} |\n`)
  await asIs.close()
  await slow.close()
}
