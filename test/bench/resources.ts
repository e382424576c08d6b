import { includesOf, type Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import { executable, type Load, measure, median, serverCore, start, stop } from './processes.ts'
import { bareLimits, sizeOf } from './requests.ts'

const rounds = 5
const warmUpSeconds = 2
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

interface Case {
  resource: Resource
  load: Omit<Load, 'seconds'>
  ratios: number[]
}

/** GET and list of every resource of the demo company, with all includes, compared with organizations. */
export async function benchResources(): Promise<void> {
  const sandbox = await start(serverCore, [executable, 'sandbox', '--seed', 'demo'])
  const limits = await bareLimits()
  const headers = { Authorization: `Bearer ${sandbox.first.key}` }
  for (const [name, path] of [
    ['GET by id', async (url: string) => `${url}/${await firstIdOf(url, headers)}`],
    ['list of 10', async (url: string, includes: string) => `${url}?limit=10${includes && `&include=${includes}`}`],
  ] as const) {
    const cases = await Promise.all(
      resources.map(async (resource): Promise<Case> => {
        const includes = includesOf(resource).join()
        const url = await path(`${sandbox.first.url}/${resource.path}`, includes)
        return { resource, load: { url, headers }, ratios: [] }
      }),
    )
    await compare(name, cases, limits.first.url)
  }
  await stop(limits.child)
  await stop(sandbox.child)
}

async function compare(name: string, cases: Case[], bareUrl: string): Promise<void> {
  for (const { load } of cases) await measure({ ...load, seconds: warmUpSeconds })
  for (let round = 0; round < rounds; round++) {
    for (const { load, ratios } of cases) {
      const bare = await measure({ url: `${bareUrl}/string?${await sizeOf(load)}`, seconds })
      ratios.push((await measure({ ...load, seconds })).rate / bare.rate)
    }
  }
  const organizations = median(cases.find(({ resource }) => resource.name === 'organization')!.ratios)
  console.log(`| ${name}, all includes | ratio to bare node:http | to organizations |`)
  console.log('| --- | ---: | ---: |')
  for (const { resource, ratios } of cases) {
    const ratio = median(ratios)
    console.log(`| ${resource.path} | ${ratio.toFixed(2)} | ${(ratio / organizations).toFixed(2)} |`)
  }
  console.log()
}

async function firstIdOf(url: string, headers: Record<string, string>): Promise<string> {
  const { data } = (await (await fetch(`${url}?limit=1`, { headers })).json()) as { data: { id: string }[] }
  return data[0]!.id
}
