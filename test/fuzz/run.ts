import { routes } from '../../src/features/index.ts'
import { type Random, randomOf } from '../support/random.ts'
import { consoleRoutes } from './console.ts'
import { judgeForm, Owners } from './judge.ts'
import { mailIn } from './mail.ts'
import { drawShot } from './requests.ts'
import type { Secrets } from './secrets.ts'
import { learn, type Tenant } from './tenant.ts'
import { type Reply, type Shot, wireTo } from './wire.ts'

const shooters = 8

export interface FuzzOptions {
  url: string
  tenants: readonly Tenant[]
  /** More are sent until every route has succeeded once, half of them to the routes that have not; up to fifteen times as many. */
  requests: number
  seed: number
  /** The messages that not everybody may see; undefined: they are not judged. */
  secrets?: Secrets
  /** Called with the number of responses after each one. */
  onResponse?: (count: number) => void
}

export interface FuzzResult {
  /** The number of successful requests by route, such as `GET /path`. */
  succeeded: Map<string, number>
  /** The number of responses by status, without those to requests for a wanted route, which may refuse many in a row. */
  statuses: Map<number, number>
}

interface Round {
  tenants: readonly Tenant[]
  owners: Owners
  secrets: Secrets | undefined
  random: Random
  send: (shot: Shot) => Promise<Reply>
  result: FuzzResult
  /** The route to draw, such as `GET /path`; undefined: any. */
  wanted: string | undefined
}

/** Sends seeded random requests for all tenants concurrently. Throws at the first missing or malformed response, or one with another tenant's data. */
export async function fuzz({ url, tenants, requests, seed, secrets, onResponse }: FuzzOptions): Promise<FuzzResult> {
  const { send, close } = wireTo(url, shooters)
  const result = { succeeded: new Map<string, number>(), statuses: new Map<number, number>() }
  const owners = new Owners()
  for (const tenant of tenants) {
    for (const id of tenant.keptIds) owners.share(id, tenant)
  }
  let [left, failed] = [requests, false]
  const isRunning = () => left > 0 || (left > -15 * requests && untouched(result).length > 0)
  const shoot = async (_: unknown, shooter: number) => {
    const random = randomOf(seed + shooter)
    while (!failed && isRunning()) {
      const count = requests - --left
      const wanted = left < 0 && random.below(2) === 0 ? random.pick(untouched(result)) : undefined
      await shootOnce({ tenants, owners, secrets, random, send, result, wanted })
      onResponse?.(count)
    }
  }
  try {
    await Promise.all(Array.from({ length: shooters }, shoot))
  } catch (error) {
    failed = true
    throw error
  } finally {
    close()
  }
  return result
}

async function shootOnce({ tenants, owners, secrets, random, send, result, wanted }: Round): Promise<void> {
  const tenant = random.pick(tenants)
  const shot = drawShot({ random, tenant, others: tenants.filter((each) => each !== tenant) }, wanted)
  const since = secrets?.now ?? 0
  let reply: Reply | undefined
  try {
    reply = await send(shot)
    const body = judgeForm(shot, reply)
    owners.judge(tenant, shot, reply)
    secrets?.judge(tenant, shot, reply, since)
    if (!wanted) countStatus(result, reply)
    countSuccess(result, shot, reply)
    if (reply.status < 300) learn(tenant, shot.target, body, reply.headers.location, random)
  } catch (error) {
    throw new Error(describe(tenant, shot, reply), { cause: error })
  }
}

function countStatus({ statuses }: FuzzResult, { status }: Reply): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

function countSuccess({ succeeded }: FuzzResult, { route, method }: Shot, { status }: Reply): void {
  if (route === undefined || status >= 300) return
  succeeded.set(`${method} ${route}`, (succeeded.get(`${method} ${route}`) ?? 0) + 1)
}

function describe({ mark }: Tenant, { method, target, headers, body }: Shot, reply: Reply | undefined): string {
  const asked = `${method} ${target} ${JSON.stringify(headers)} ${body?.toString().slice(0, 1000) ?? ''}`
  return `${mark} sent ${asked}\nand received ${reply ? `${reply.status} ${reply.text.slice(0, 2000)}` : 'no response'}`
}

/** Routes that random requests hardly succeed with: a job of one record ends too soon to be cancelled, only its user knows a session's id, the first run is over, sample data needs an empty workspace, and backups a server with one company. */
const exempt = [
  'DELETE /api-v1-bulk/jobs/:id',
  'DELETE /console/sessions/:id',
  'POST /console/sample-data',
  'DELETE /console/sample-data',
  'POST /console/backups',
  'POST /console/setup',
  'POST /console/setup/check',
]

const expected = [...routes, ...consoleRoutes, { method: 'POST', path: '/mcp' }, { method: 'POST', path: mailIn }]
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => !exempt.includes(route))

/** The routes without a successful request. */
export function untouched({ succeeded }: FuzzResult): string[] {
  return expected.filter((route) => !succeeded.has(route))
}
