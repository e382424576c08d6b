import type { Command } from 'commander'
import { listCompanies } from '../access/company.ts'
import { defaultPlan } from '../access/plan.ts'
import { foundCompany } from '../crm/found-company.ts'
import { withStore } from './open-store.ts'
import { print, table } from './print.ts'
import { administer, type CommonOptions, command, dataOf } from './program.ts'

export function companyCommand(): Command {
  const company = command('company', 'make and list companies')
  company.addCommand(
    administer('create', 'make a company with its live and test workspaces')
      .requiredOption('--name <name>', 'its name')
      .option('--plan <plan>', 'free, starter, professional or enterprise', defaultPlan)
      .action(create),
  )
  company.addCommand(administer('list', 'list all companies').action(list))
  return company
}

async function create(options: CommonOptions & { name: string; plan: string }): Promise<void> {
  const company = await withStore(dataOf(options), (store) => store.writeAccess((tx) => foundCompany(tx, options)))
  print(options.json, company, `Company ${company.name} (${company.plan}): ${company.id}`)
}

async function list(options: CommonOptions): Promise<void> {
  const companies = await withStore(dataOf(options), (store) => listCompanies(store.access))
  print(
    options.json,
    { companies },
    table([['ID', 'PLAN', 'NAME'], ...companies.map(({ id, plan, name }) => [id, plan, name])]),
  )
}
