import type { Command } from 'commander'
import { listPlans, type Plan, updatePlan } from '../access/plan.ts'
import { withStore } from './open-store.ts'
import { print, table } from './print.ts'
import { administer, type CommonOptions, command, dataOf, limit, onOrOff, requests } from './program.ts'

interface SetOptions extends CommonOptions {
  requestsPerMinute?: number
  requestsPerDay?: number
  maxOrganizations?: number | null
  maxContacts?: number | null
  maxDeals?: number | null
  bulkImport?: boolean
  webhooks?: boolean
}

export function planCommand(): Command {
  const plan = command('plan', 'list plans and set their limits')
  plan.addCommand(administer('list', 'list the plans').action(list))
  plan.addCommand(
    administer('set', "set a plan's limits")
      .argument('<name>', 'free, starter, professional or enterprise')
      .option('--requests-per-minute <n>', 'requests a key may make in 60 seconds', requests)
      .option('--requests-per-day <n>', 'requests a key may make in a UTC day', requests)
      .option('--max-organizations <n>', 'organizations in a workspace, or none', limit)
      .option('--max-contacts <n>', 'contacts in a workspace, or none', limit)
      .option('--max-deals <n>', 'deals in a workspace, or none', limit)
      .option('--bulk-import <on|off>', 'whether it has bulk imports', onOrOff)
      .option('--webhooks <on|off>', 'whether it has webhooks', onOrOff)
      .action(set),
  )
  return plan
}

async function list(options: CommonOptions): Promise<void> {
  const plans = await withStore(dataOf(options), (store) => listPlans(store.access))
  const head = ['NAME', 'PER MINUTE', 'PER DAY', 'ORGANIZATIONS', 'CONTACTS', 'DEALS', 'BULK IMPORT', 'WEBHOOKS']
  print(options.json, { plans }, table([head, ...plans.map(cells)]))
}

async function set(name: string, options: SetOptions): Promise<void> {
  const changes = {
    requests_per_minute: options.requestsPerMinute,
    requests_per_day: options.requestsPerDay,
    max_organizations: options.maxOrganizations,
    max_contacts: options.maxContacts,
    max_deals: options.maxDeals,
    bulk_import: options.bulkImport,
    webhooks: options.webhooks,
  }
  const plan = await withStore(dataOf(options), (store) => store.writeAccess((tx) => updatePlan(tx, name, changes)))
  print(options.json, plan, cells(plan).join('  '))
}

function cells({ name, requests_per_minute, requests_per_day, ...rest }: Plan): string[] {
  const limits = [rest.max_organizations, rest.max_contacts, rest.max_deals].map((max) => max ?? 'unlimited')
  const features = [rest.bulk_import, rest.webhooks].map((has) => (has ? 'on' : 'off'))
  return [name, requests_per_minute, requests_per_day, ...limits, ...features].map(String)
}
