import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz, untouched } from '../fuzz/run.ts'
import { enterCompany, staff, type Tenant } from '../fuzz/tenant.ts'
import { password } from '../support/visitor.ts'
import { kontor, kontorReading, residentMiB, serverCore, serving, start, stop } from './processes.ts'

const requests = Number(process.env.BENCH_REQUESTS ?? 100_000)
const seed = Number(process.env.BENCH_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** The most that memory may grow between the first tenth of the requests and the last, as a ratio. */
const growthMax = 1.2

/** Throws if a response is a server error, is malformed, contains another tenant's data, or never arrives, or if memory grows. */
export async function benchFuzz(): Promise<void> {
  console.log(`Seed ${seed}`)
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const companies = [0, 1, 2].map((number) => companyOf(data, number))
  const serve = serving(data, '--mail-domain', 'in.kontor.example')
  const { child, first } = await start(serverCore, serve, { KONTOR_RATE_LIMITS: 'off' })
  const tenants: Tenant[] = []
  for (const company of companies) tenants.push(...(await enterCompany({ url: first.url, ...company })))
  const memory: number[] = []
  const onResponse = (count: number) => {
    if (count % (requests / 10) === 0) memory.push(residentMiB(child))
  }
  const result = await fuzz({ url: first.url, tenants, requests, seed, onResponse })
  await stop(child)
  kontor('check', '--data', data)
  rmSync(data, { recursive: true })
  if (untouched(result).length > 0) throw new Error(`Routes without a successful request: ${untouched(result)}`)
  const statuses = [...result.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  console.log(`| requests | responses | resident memory at each tenth, MiB |\n| ---: | --- | --- |`)
  console.log(`| ${requests} | ${statuses.join(', ')} | ${memory.map((each) => each.toFixed(0)).join(' ')} |\n`)
  const growth = memory.at(-1)! / memory[0]!
  if (growth > growthMax) throw new Error(`Memory grew to ${growth.toFixed(2)} of what it was after the first tenth`)
}

/** A company with its two workspaces and its users. */
function companyOf(data: string, number: number) {
  const company = kontor('company', 'create', '--data', data, '--name', `mark${number}shared`)
  const of = ['--data', data, '--company', company.id!]
  const users = staff.map(({ role }, index) => {
    const email = `mark${number}shared.${index}x@kontor.example`
    const named = ['--email', email, '--name', `mark${number}shared`, '--role', role, '--password-stdin']
    return { id: kontorReading(password, 'user', 'create', ...of, ...named).id!, email }
  })
  const keys = ['live', 'test'].map((environment) => {
    const options = ['--name', 'Fuzz', '--scopes', 'admin:all', '--environment', environment]
    const { id, key } = kontor('key', 'create', ...of, ...options)
    return { id: id!, key: key!, environment }
  })
  return { number, keys, users }
}
