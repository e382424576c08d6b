import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outages, surviveOutages } from '../store/outages.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 50)
const writesWanted = 100_000

/** Throws if an acknowledged write is lost in a kill or a power cut. BENCH_ROUNDS sets the number of each. */
export async function benchKills(): Promise<void> {
  const [kill, cut, torn] = outages
  const order = Array.from({ length: rounds }, (_, round) => [kill, round % 2 === 0 ? cut : torn]).flat()
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const ends: (() => void)[] = []
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`Seed ${seed}`)
  const { acknowledged } = await surviveOutages({ after: (end) => ends.push(end as () => void) }, directory, {
    rounds: order,
    writesPerRound: Math.ceil(writesWanted / order.length),
    seed,
  })
  for (const end of ends) end()
  rmSync(directory, { recursive: true })
  console.log('| acknowledged writes | kills | power cuts | lost |\n| ---: | ---: | ---: | ---: |')
  console.log(`| ${acknowledged} | ${rounds} | ${rounds} | 0 |\n`)
}
