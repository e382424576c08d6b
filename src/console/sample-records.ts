import { contact } from '../crm/contact.ts'
import { deal } from '../crm/deal.ts'
import { organization } from '../crm/organization.ts'
import { task } from '../crm/task.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { type JsonObject, readCreate } from '../engine/records/rows/validate.ts'
import { insert, type Limits } from '../engine/records/rows/write.ts'
import { dayMs, timestamp, utcDay } from '../lib/clock.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** Made-up organizations. Domains and phone numbers are in ranges that are reserved for examples and fiction. */
const organizations = [
  { name: 'Nordwind Logistik', city: 'Hamburg', country: 'Germany', domain: 'nordwind.example', status: 'active' },
  { name: 'Alder & Finch', city: 'London', country: 'United Kingdom', domain: 'alder-finch.example', status: 'active' },
  { name: 'Café Belleville', city: 'Paris', country: 'France', domain: 'belleville.example', status: 'lead' },
  { name: 'Müller Feinkost', city: 'Munich', country: 'Germany', domain: 'mueller.example', status: 'active' },
  { name: 'Fjellheim Hotels', city: 'Bergen', country: 'Norway', domain: 'fjellheim.example', status: 'lead' },
] as const

/** Two people for each organization: name, job, phone. */
const people = [
  ['Ute', 'Harms', 'Head of Purchasing', '+49406696901'],
  ['Jörg', 'Petersen', 'Warehouse Manager', '+49406696902'],
  ['Harriet', 'Cole', 'Managing Director', '+442079460101'],
  ['James', 'Okonkwo', 'Buyer', '+442079460102'],
  ['Camille', 'Lefèvre', 'Owner', '+33199002001'],
  ['Hugo', 'Marchand', 'Chef', '+33199002002'],
  ['Grete', 'Müller', 'Managing Director', '+498999998001'],
  ['Paul', 'Hofer', 'Office Manager', '+498999998002'],
  ['Sigrid', 'Fjellheim', 'Owner', '+4700055001'],
  ['Henrik', 'Larsen', 'Operations Manager', '+4700055002'],
] as const

/** Title, the number of the organization, value, days until it closes, and the stage: a number among the open ones, or a kind. */
const deals = [
  ['Spring catalogue', 0, 4_800, 35, 0],
  ['Welcome gifts for guests', 4, 12_500, 50, 0],
  ['Summer tasting', 2, 2_900, 21, 1],
  ['Staff hampers', 1, 9_600, 28, 1],
  ['Framework agreement', 0, 36_000, 14, 2],
  ['Window display', 3, 7_400, 6, 3],
  ['Anniversary boxes', 3, 5_200, -4, 'won'],
  ['Trade fair catering', 1, 3_100, -9, 'lost'],
] as const

/** Title, the number of the deal, and days until it is due. One is due at any hour in any time zone: since an hour ago. */
const tasks = [
  ['Send the offer', 4, -1 / 24],
  ['Call back about quantities', 3, 1],
  ['Prepare samples', 2, 3],
  ['Ask for the delivery address', 5, -1],
] as const

/** Creates the sample data: a few records that belong to a user, with dates around today. Throws PLAN_LIMIT_EXCEEDED. */
export function insertSamples(tx: Writer, userId: string, limits: Limits): void {
  const add = (resource: Resource, body: JsonObject) => insert(resource, tx, readCreate(resource, tx, body), limits).id
  const now = Date.parse(tx.now)
  const stageAt = stagesOf(tx)
  const organizationIds = organizations.map((body) => add(organization, body))
  const contactIds = people.map(([first_name, last_name, job_title, phone_number], at) => {
    const place = Math.floor(at / 2)
    const address = `${unaccented(first_name)}.${unaccented(last_name)}@${organizations[place]!.domain}`.toLowerCase()
    const ways = { emails: [{ email: address }], phones: [{ phone_number }] }
    return add(contact, { first_name, last_name, job_title, organization_id: organizationIds[place]!, ...ways })
  })
  const dealIds = deals.map(([title, place, value, days, stage]) =>
    add(deal, {
      ...{ title, value, ...stageAt(stage), expected_close_date: utcDay(now + days * dayMs) },
      ...{ organization_id: organizationIds[place]!, contact_id: contactIds[2 * place]!, assigned_to: userId },
    }),
  )
  for (const [title, at, days] of tasks) {
    const organization_id = organizationIds[deals[at]![1]]!
    add(task, {
      title,
      due_date: timestamp(now + days * dayMs),
      deal_id: dealIds[at]!,
      organization_id,
      assigned_to: userId,
    })
  }
}

const closedProbability = { won: 100, lost: 0 } as const

/** The stage and probability of a deal, by the number of an open stage or by a kind. Without such a stage, the server chooses one. */
function stagesOf(reader: Reader): (which: number | 'won' | 'lost') => JsonObject {
  const sql = 'SELECT id, kind FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL ORDER BY position'
  const stages = reader.rows<{ id: string; kind: string }>(sql)
  const open = stages.filter(({ kind }) => kind === 'open')
  return (which) => {
    const isClosed = typeof which === 'string'
    const stage = isClosed ? stages.find(({ kind }) => kind === which) : open[Math.min(which, open.length - 1)]
    const probability = isClosed ? closedProbability[which] : 20 + 20 * which
    return stage ? { stage_id: stage.id, probability } : {}
  }
}

function unaccented(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '')
}
