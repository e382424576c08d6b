import { importBodies, measureImport } from './imports.ts'
import { measure, median } from './processes.ts'
import { organizationBody, served } from './served.ts'

const rounds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

const main = new URL('../../src/main.ts', import.meta.url).pathname
const programs = {
  with: [main],
  without: ['--import', new URL('./without-log.ts', import.meta.url).href, main],
}

/** The rates of creations and of imports with the log of changes, as a share of those without it, in turn. */
export async function benchChangesRates(): Promise<void> {
  const bodies = importBodies()
  console.log('| rate | with the log /s | without /s | ratio |\n| --- | ---: | ---: | ---: |')
  await compare('POST an organization', async (program) => {
    const { url, headers, close } = await served({}, undefined, program)
    await measure({ url, headers, method: 'POST', body: organizationBody, seconds })
    const { rate } = await measure({ url, headers, method: 'POST', body: organizationBody, seconds })
    await close()
    return rate
  })
  await compare('import contacts', async (program) => (await measureImport(bodies, program)).own)
  console.log()
}

async function compare(name: string, rateOf: (program: string[]) => Promise<number>): Promise<void> {
  const rates: { with: number; without: number }[] = []
  for (let round = 0; round < rounds; round++) {
    rates.push({ with: await rateOf(programs.with), without: await rateOf(programs.without) })
  }
  const logged = median(rates.map((each) => each.with))
  const without = median(rates.map((each) => each.without))
  const ratio = median(rates.map((each) => each.with / each.without))
  console.log(`| ${name} | ${logged.toFixed(0)} | ${without.toFixed(0)} | ${ratio.toFixed(2)} |`)
}
