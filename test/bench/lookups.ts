import assert from 'node:assert/strict'
import { findWorkspaceId } from '../../src/access/company.ts'
import type { Connection } from '../../src/store/open.ts'
import { uploaded } from '../features/files/files.ts'
import { deliverMail, mailWithFile, newAddress, rawMail, startWithMail } from '../features/mail/mails.ts'
import type { Client } from '../support/client.ts'
import { importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { median } from './processes.ts'

const sizes = { small: 100, large: Number(process.env.BENCH_RECORDS ?? 100_000) }
const rounds = 9

/**
 * What looks up a few records by others: how long it takes in a company that has 100,000 of each (BENCH_RECORDS), and in one that has 100. An import
 * runs in the process of the server, as do long requests.
 */
export async function benchLookups(): Promise<void> {
  const [small, large] = [await measure(sizes.small), await measure(sizes.large)]
  console.log(
    `Lookups: ${sizes.large} records of each kind against ${sizes.small}, median of ${rounds} in milliseconds`,
  )
  for (const [name, ms] of Object.entries(large)) {
    const ratio = ms / small[name]!
    console.log(
      `  ${name.padEnd(36)} ${ms.toFixed(1).padStart(8)} ${small[name]!.toFixed(1).padStart(8)} ${ratio.toFixed(2).padStart(8)}`,
    )
  }
  console.log('')
}

async function measure(count: number): Promise<Record<string, number>> {
  const ends: (() => unknown)[] = []
  let db: Connection | undefined
  const prepare = (opened: Connection) => {
    db = opened
  }
  const server = await startWithMail(
    { after: (end: unknown) => void ends.push(end as () => unknown) },
    { longRequests: 'here', prepare },
  )
  try {
    const { id, client } = await server.company('Acme')
    const { address } = await newAddress(client)
    const copies = new Copies(db!, findWorkspaceId(server.store.access, id, 'live'), await makeOne(client, address))
    copies.make(count)
    const taken = new Map<string, number[]>()
    for (let round = 0; round < rounds; round++) {
      for (const [name, run] of operationsOf(client, address, copies, round)) {
        const begin = performance.now()
        const { status, ...about } = await run()
        taken.set(name, [...(taken.get(name) ?? []), performance.now() - begin])
        assert.ok(status === 'completed' || Number(status) < 300, `${name}: ${JSON.stringify(about).slice(0, 500)}`)
      }
    }
    return Object.fromEntries([...taken].map(([name, list]) => [name, median(list)]))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

type Operation = [name: string, run: () => Promise<{ status?: unknown }>]

function operationsOf(client: Client, address: string, copies: Copies, round: number): Operation[] {
  const at = 10 * round
  const of = (name: string, number: number) => copies.idOf(name, number + 1)
  const [deal, contact, organization, message] = ['deal', 'contact', 'organization', 'message'].map((name) =>
    of(name, at),
  )
  const items = Array.from({ length: 50 }, () => ({ deal_id: of('deal', at + 1), name: 'Hamper', unit_price: 1 }))
  return [
    ['line item created', () => client.post('/api-v1-line-items', { deal_id: deal, name: 'Hamper', unit_price: 2 })],
    ['50 line items imported', () => importAll(client, 'line-items', items)],
    ['deal with line items deleted', () => client.delete(`/api-v1-deals/${deal}`)],
    ['deal with line items restored', () => client.post(`/api-v1-trash/${deal}/restore`, {})],
    [
      'organizations merged',
      () => mergeInto(client, 'organizations', of('organization', at + 1), of('organization', at + 2)),
    ],
    ['contacts merged', () => mergeInto(client, 'contacts', of('contact', at + 1), of('contact', at + 2))],
    ['mail of a stranger', () => deliverMail(client, address, rawMail({ From: `Ada <ada@${at}.example>` }))],
    ['message deleted', () => client.delete(`/api-v1-messages/${message}`)],
    ['message erased', () => client.delete(`/api-v1-trash/${message}`)],
    ['contact deleted', () => client.delete(`/api-v1-contacts/${contact}`)],
    ['contact erased', () => client.delete(`/api-v1-trash/${contact}`)],
    ['organization deleted', () => client.delete(`/api-v1-organizations/${organization}`)],
    ['organization erased', () => client.delete(`/api-v1-trash/${organization}`)],
  ]
}

function mergeInto(client: Client, path: string, survivor: string, other: string) {
  return client.post(`/api-v1-${path}/${survivor}/merge`, { with: [other] })
}

/** One record of each kind, which refer to each other. Returns their ids. */
async function makeOne(client: Client, address: string): Promise<Record<string, string>> {
  const { id: organization } = await make(client, 'organization', { domain: 'alpha.example' })
  const { id: contact } = await make(client, 'contact', {
    organization_id: organization,
    emails: [{ email: 'ada@alpha.example' }],
  })
  const about = { organization_id: organization, contact_id: contact }
  const { id: deal } = await make(client, 'deal', about)
  const { id: product } = await make(client, 'product')
  const { id: line_item } = await make(client, 'line_item', { deal_id: deal, product_id: product })
  const { id: task } = await make(client, 'task', { deal_id: deal, ...about })
  const { id: activity } = await make(client, 'activity', { deal_id: deal, ...about })
  const { id: file } = await uploaded(client, 'offer', { deal_id: deal })
  const { id: message } = (await deliverMail(client, address, mailWithFile('offer.pdf', 'An offer'))).body.data
  return { organization, contact, deal, product, line_item, task, activity, file, message }
}

/** Copies of one record of each kind: the copies with one number refer to each other. The log does not have them. */
class Copies {
  readonly #db: Connection
  readonly #workspace: number
  readonly #ids: Readonly<Record<string, string>>

  constructor(db: Connection, workspace: number, ids: Readonly<Record<string, string>>) {
    this.#db = db
    this.#workspace = workspace
    this.#ids = ids
  }

  idOf(name: string, number: number): string {
    return `${this.#prefixOf(name)}${number.toString(16).padStart(12, '0')}`
  }

  make(count: number): void {
    this.#db.exec('PRAGMA foreign_keys = OFF; BEGIN')
    for (const [name, id] of Object.entries(this.#ids)) this.#copy(name, `id = '${id}'`, count)
    this.#copy('contact_email', `contact_id = '${this.#ids.contact}'`, count)
    this.#copy('deal_contact', `deal_id = '${this.#ids.deal}'`, count)
    this.#db.exec('DELETE FROM search_pending; COMMIT; PRAGMA foreign_keys = ON')
  }

  #prefixOf(name: string): string {
    return `019ecb27-2200-7000-80${10 + Object.keys(this.#ids).indexOf(name)}-`
  }

  #copy(table: string, which: string, count: number): void {
    const columns = this.#db.pragma(`main.table_xinfo(${table})`) as { name: string; hidden: number }[]
    const names = columns.filter(({ hidden }) => hidden === 0).map(({ name }) => `"${name}"`)
    this.#db.exec(`INSERT INTO main.${table} (${names.join()})
      WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
      SELECT ${names.map((name) => this.#copied(name)).join()} FROM main.${table} CROSS JOIN numbers
      WHERE workspace_id = ${this.#workspace} AND ${which}`)
  }

  /** SQL: an id is that of the copy, what is unique is so again, and the rest is as it was. */
  #copied(column: string): string {
    const ids = Object.entries(this.#ids).map(
      ([name, id]) => `WHEN '${id}' THEN '${this.#prefixOf(name)}' || printf('%012x', number)`,
    )
    const isUnique = /_unique"$|^"(?:email|email_key|domain|domain_key|identity)"$/.test(column)
    const other = isUnique ? `${column} || number` : column
    return /id"$/.test(column) ? `CASE ${column} ${ids.join(' ')} ELSE ${other} END` : other
  }
}
