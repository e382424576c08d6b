import { findWorkspaceId } from '../../../src/access/company.ts'
import { insertKey } from '../../../src/access/key.ts'
import { withStore } from '../../../src/commands/open-store.ts'
import { activity } from '../../../src/crm/activity.ts'
import { contact } from '../../../src/crm/contact.ts'
import { createCompany } from '../../../src/crm/create-company.ts'
import { organization } from '../../../src/crm/organization.ts'
import type { Resource, Row } from '../../../src/engine/records/define.ts'
import { insert } from '../../../src/engine/records/rows/write.ts'
import type { Writer } from '../../../src/store/reader.ts'
import type { Store } from '../../../src/store/store.ts'

export interface Tenants {
  /** The key of the company that attacks. */
  attacker: string
  /** The key of a company with usual requests. */
  victim: string
  victimIds: string[]
}

/** Fewer than 2,000 records, for which lists formerly ran on the event loop regardless of their cost. */
const organizationsOfAttacker = 1_900
const contactsOfAttacker = 600
const phonesPerContact = 100
const activitiesOfAttacker = 1_000
const organizationsOfVictim = 20_000

/** Creates a data directory with a company whose records make lists as slow and pages as long as possible, and one with usual records. */
export function makeTenants(directory: string): Promise<Tenants> {
  return withStore(directory, fill, { create: true })
}

async function fill(store: Store): Promise<Tenants> {
  const found = (name: string) =>
    store.writeAccess((tx) => {
      const { id } = createCompany(tx, { name, plan: 'enterprise' })
      const { key } = insertKey(tx, { companyId: id, environment: 'live', name, scopes: ['admin:all'] })
      return { key, workspaceId: findWorkspaceId(tx, id, 'live') }
    })
  const [attacker, victim] = [await found('Attacker'), await found('Victim')]
  await store.write(attacker.workspaceId, fillAttacker)
  const victimIds = await store.write(victim.workspaceId, (tx) =>
    times(organizationsOfVictim, (row) => make(tx, organization, { name: `Nordwind ${row}`, status: 'lead' })),
  )
  return { attacker: attacker.key, victim: victim.key, victimIds: victimIds.slice(0, 5_000) }
}

function fillAttacker(tx: Writer): void {
  times(organizationsOfAttacker, () => make(tx, organization, { name: 'a'.repeat(500), status: 'lead' }))
  const phones = times(phonesPerContact, (at) => ({
    phone_number: `${at} ${'a'.repeat(480)}`,
    type: 'work',
    is_primary: 0,
  }))
  times(contactsOfAttacker, () => make(tx, contact, { first_name: 'Ada' }, phones))
  const note = { type: 'note', description: 'x'.repeat(100_000), metadata: JSON.stringify({ x: 'x'.repeat(65_000) }) }
  times(activitiesOfAttacker, () => make(tx, activity, note))
}

function make(tx: Writer, resource: Resource, values: Row, phones: Row[] = []): string {
  const defaults = Object.values(resource.fields).map((field) => [field.name, field.default ?? null])
  return insert(resource, tx, { values: { ...Object.fromEntries(defaults), ...values }, items: { phones } }, {}).id
}

function times<T>(count: number, run: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => run(at))
}
