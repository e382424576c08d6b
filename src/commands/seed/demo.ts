import { insertUser } from '../../access/user.ts'
import { activity } from '../../crm/activity.ts'
import { contact } from '../../crm/contact.ts'
import { deal } from '../../crm/deal.ts'
import { organization } from '../../crm/organization.ts'
import { listStageIds } from '../../crm/stage.ts'
import { task } from '../../crm/task.ts'
import type { Resource } from '../../engine/definition/define.ts'
import { type JsonObject, readCreate } from '../../engine/write/validate.ts'
import { insert } from '../../engine/write/write.ts'
import { type Clock, dayMs, minuteMs } from '../../lib/clock.ts'
import { fold } from '../../lib/text.ts'
import { UuidSequence } from '../../lib/uuid.ts'
import type { Store } from '../../store/store.ts'
import { activityBody, dealBody, type Subject, taskBody } from './pipeline.ts'
import { Random } from './random.ts'
import { colleagues, companies, countries, firstNames, jobTitles, lastNames, streets } from './words.ts'

const seed = 20_260_105
const contactsMax = 120
const begin = Date.UTC(2026, 0, 5, 8)
export const demoNow = Date.UTC(2026, 6, 6, 9)

/** A separate clock and separate ids, so that the demo data are always identical, including ids and timestamps. */
export function demoTime(): { clock: Clock; ids: UuidSequence } {
  const random = new Random(seed)
  let now = begin
  return {
    clock: { now: () => (now += random.integer(5 * minuteMs, dayMs)), elapsed: () => now - begin },
    ids: new UuidSequence(() => random.bytes(16)),
  }
}

/** Fills a workspace with the records of a realistic small company. */
export async function seedDemo(store: Store, companyId: string, workspaceId: number): Promise<void> {
  const random = new Random(seed)
  const users = await store.writeAccess((tx) => colleagues.map((user) => insertUser(tx, { companyId, ...user }).id))
  const create = (resource: Resource, body: JsonObject) =>
    store.write(workspaceId, (tx) => insert(resource, tx, readCreate(resource, tx, body), {}).id)
  const stages = listStageIds(store.workspace(workspaceId))
  let contacts = 0
  for (const [index, company] of companies.entries()) {
    const organizationId = await create(organization, organizationBody(random, company))
    const staff = Math.ceil((contactsMax - contacts) / (companies.length - index) + random.next() - 0.5)
    let contactId = ''
    for (let person = 0; person < staff; person++) {
      contactId = await create(contact, contactBody(random, organizationId, domainOf(company[0]), person === 0))
    }
    contacts += staff
    const about = { organization_id: organizationId, contact_id: contactId, assigned_to: random.pick(users) }
    await seedPipeline(random, create, about, stages)
  }
}

type Create = (resource: Resource, body: JsonObject) => Promise<string>

/** Creates up to three deals for an organization, each with tasks and activities. */
async function seedPipeline(random: Random, create: Create, about: Subject, stages: string[]): Promise<void> {
  for (let deals = random.integer(0, 3); deals > 0; deals--) {
    const deal_id = await create(deal, dealBody(random, begin, about, random.pick(stages)))
    for (let tasks = random.integer(0, 2); tasks > 0; tasks--) {
      await create(task, taskBody(random, begin, { ...about, deal_id }))
    }
    for (let talks = random.integer(1, 4); talks > 0; talks--) {
      await create(activity, activityBody(random, { ...about, deal_id }))
    }
  }
}

function organizationBody(random: Random, [name, type, city]: (typeof companies)[number]): JsonObject {
  return {
    name,
    status: random.pick(['lead', 'lead', 'active', 'active', 'active', 'inactive', 'lost']),
    organization_type: type,
    address: `${random.integer(1, 180)} ${random.pick(streets)}`,
    city,
    postal_code: String(random.integer(10_000, 99_999)),
    country: countries[city],
    domain: domainOf(name),
    metadata: { source: random.pick(['referral', 'fair', 'website', 'cold call']) },
  }
}

function contactBody(random: Random, organizationId: string, domain: string, isPrimary: boolean): JsonObject {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  const phones = [{ phone_number: phone(random), type: 'work' }]
  if (random.chance(0.4)) phones.push({ phone_number: phone(random), type: 'mobile' })
  return {
    first_name: first,
    last_name: last,
    job_title: random.pick(jobTitles),
    organization_id: organizationId,
    is_primary: isPrimary,
    consent_to_record: random.chance(0.3),
    emails: [{ email: `${asciiOf(first)}.${asciiOf(last)}@${domain}` }],
    phones,
  }
}

function domainOf(company: string): string {
  return `${asciiOf(company).replace(/[^a-z]+/g, '-')}.example`
}

function asciiOf(text: string): string {
  const plain = fold(text).replaceAll('ø', 'o').normalize('NFD')
  return plain.replace(/[\u0300-\u036f]/g, '')
}

function phone(random: Random): string {
  return `+${random.pick([31, 33, 44, 47, 49])}${random.integer(200_000_000, 999_999_999)}`
}
