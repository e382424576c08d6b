import { median } from './processes.ts'
import { type Running, runBig, runSmall, times } from './running.ts'
import { type Case, cases, rounds, warmUpRounds } from './scale-cases.ts'

/** Filters that match more rows form a separate group. */
const fewMax = 1_000

interface Compared {
  /** With the big file. */
  matches: number
  ratio: number
  about: string
}

/** Compares latencies with the big file and with a file of 1,000 contacts; requests alternate between the two. */
export async function benchScale(): Promise<void> {
  const [big, small] = [await runBig(), await runSmall()]
  const groups = new Map<string, Compared[]>()
  for (const each of cases) {
    const compared = await compare(each, big, small)
    const name = compared.matches < fewMax ? each.group : `${each.group}, of many rows`
    groups.set(name, [...(groups.get(name) ?? []), compared])
  }
  console.log(`${times * 1_000} contacts against 1,000: ratios of median latencies, ${rounds} requests each\n`)
  console.log('| request | cases | median ratio | largest | the largest: ms big / small, rows matched |')
  console.log('| --- | ---: | ---: | ---: | --- |')
  for (const [name, compared] of groups) {
    const ordered = compared.toSorted((a, b) => a.ratio - b.ratio)
    const { ratio, about } = ordered.at(-1)!
    const middle = median(compared.map(({ ratio }) => ratio)).toFixed(2)
    console.log(`| ${name} | ${compared.length} | ${middle} | ${ratio.toFixed(2)} | ${about} |`)
    if (process.env.BENCH_ALL) for (const each of ordered) console.log(`    ${each.ratio.toFixed(2)} ${each.about}`)
  }
  console.log(`\nResident memory of the server with the big file: ${big.residentMiB().toFixed(0)} MiB\n`)
  await big.stop()
  await small.stop()
}

async function compare(each: Case, big: Running, small: Running): Promise<Compared> {
  const both = [big, small].map((server) => ({ server, asked: each.asked(server), ms: [] as number[] }))
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const { server, asked, ms } of both) {
      const response = await server.client.ask(asked.path(round), asked.method, asked.body?.(round))
      if (round >= 0) ms.push(response.ms)
    }
  }
  const [ofBig, ofSmall] = both.map(({ ms }) => median(ms)) as [number, number]
  const matches = both.map(({ asked }) => asked.matches ?? '–').join(' / ')
  const about = `${each.name}: ${ofBig.toFixed(2)} / ${ofSmall.toFixed(2)}, ${matches}`
  return { ratio: ofBig / ofSmall, about, matches: both[0]!.asked.matches ?? 0 }
}
