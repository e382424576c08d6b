import type { Command } from 'commander'
import { type Company, type CompanyChanges, listCompanies, updateCompany } from '../../access/company.ts'
import { defaultPlan } from '../../access/plan.ts'
import { ConfigError } from '../../config.ts'
import { createCompany } from '../../crm/create-company.ts'
import { requirePhoneCountry } from '../../engine/records/phones/phone-country.ts'
import { lookupMove } from '../../store/company-move.ts'
import type { Move } from '../../store/move-state.ts'
import type { Store } from '../../store/store.ts'
import { withStore } from '../open-store.ts'
import { print, table } from '../print.ts'
import { administer, type CommonOptions, command, dataOf, initOption } from '../program.ts'
import { moving } from './moving.ts'

type CreateOptions = CommonOptions & { name: string; plan: string; init?: boolean }
type SetOptions = CommonOptions & {
  name?: string
  plan?: string
  phoneCountry?: string
  currency?: string
  timeZone?: string
}

const plans = 'free, starter, professional or enterprise'

export function companyCommand(): Command {
  const company = command('company', 'create, change and list companies')
  company.addCommand(
    administer('create', 'create a company with its live and test workspaces')
      .requiredOption('--name <name>', 'name of the company')
      .option('--plan <plan>', plans, defaultPlan)
      .addOption(initOption())
      .action(create),
  )
  company.addCommand(
    administer('set', 'change a company, effective immediately')
      .argument('<id>', "the company's id")
      .option('--name <name>', 'new name')
      .option('--plan <plan>', plans)
      .option(
        '--phone-country <code>',
        'country of telephone numbers without a country code, such as DE; none: no country',
      )
      .option('--currency <code>', 'currency in which reports add up, such as EUR')
      .option('--time-zone <name>', 'time zone in which exchange rates become valid, such as Europe/Berlin')
      .action(set),
  )
  company.addCommand(administer('list', 'list all companies').action(list))
  for (const each of moving()) company.addCommand(each)
  return company
}

async function create({ data, json, init, ...input }: CreateOptions): Promise<void> {
  const found = (store: Store) => store.writeAccess((tx) => createCompany(tx, input))
  const company = await withStore(dataOf({ data }), found, { create: true, init })
  print(json, company, `Company ${sentence(company)}`)
}

async function set(id: string, { data, json, phoneCountry, timeZone, ...given }: SetOptions): Promise<void> {
  const changes: CompanyChanges = { ...given }
  if (timeZone !== undefined) changes.time_zone = timeZone
  if (phoneCountry !== undefined) {
    changes.phone_country = await requirePhoneCountry(phoneCountry === 'none' ? null : phoneCountry)
  }
  if (Object.keys(changes).length === 0) {
    throw new ConfigError('Nothing to change: give --name, --plan, --phone-country, --currency or --time-zone')
  }
  const company = await withStore(dataOf({ data }), (store) =>
    store.writeAccess((tx) => updateCompany(tx, id, changes)),
  )
  print(json, company, `Company ${sentence(company)}`)
}

function sentence({ name, plan, phone_country, currency, time_zone, id }: Company): string {
  return `${name} (${[plan, phone_country, currency, time_zone].filter(Boolean).join(', ')}): ${id}`
}

async function list(options: CommonOptions): Promise<void> {
  const companies = await withStore(dataOf(options), ({ access }) =>
    listCompanies(access).map((company) => ({ ...company, ...stateOf(lookupMove(access, company.id)) })),
  )
  const rows = companies.map(({ id, plan, name, move }) => [id, plan, move ? `${name} (${describeMove(move)})` : name])
  print(options.json, { companies }, table([['ID', 'PLAN', 'NAME'], ...rows]))
}

function stateOf(move: Move | undefined): { move?: Move } {
  return move ? { move } : {}
}

function describeMove(move: Move): string {
  return move.state === 'moved' ? `moved to ${move.to}` : move.state
}
