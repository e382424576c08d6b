import type { Command } from 'commander'
import { listPlans, type Plan, planColumns, planFeatures, planLimits, updatePlan } from '../access/plan.ts'
import { ConfigError } from '../config.ts'
import { withStore } from './open-store.ts'
import { print, table } from './print.ts'
import { administer, type CommonOptions, command, dataOf, limit, onOrOff, requests } from './program.ts'

type SetOptions = CommonOptions & Record<string, number | 'none' | boolean | undefined>

export function planCommand(): Command {
  const plan = command('plan', 'list plans and set their limits')
  plan.addCommand(administer('list', 'list the plans').action(list))
  const setting = administer('set', "set a plan's limits").argument(
    '<name>',
    'free, starter, professional or enterprise',
  )
  for (const column of planLimits) {
    const [about, parse] =
      column === 'max_storage_bytes'
        ? ["maximum number of bytes of a company's files, or none", limit]
        : column.startsWith('max_')
          ? [`maximum number of ${column.slice(4)} in a workspace, or none`, limit]
          : [`${column.replaceAll('_', ' ')} for each key`, requests]
    setting.option(`--${flagOf(column)} <n>`, about, parse)
  }
  for (const feature of planFeatures) {
    setting.option(
      `--${flagOf(feature)} <on|off>`,
      `whether the plan includes ${feature.replaceAll('_', ' ')}`,
      onOrOff,
    )
  }
  plan.addCommand(setting.action(set))
  return plan
}

async function list(options: CommonOptions): Promise<void> {
  const plans = await withStore(dataOf(options), (store) => listPlans(store.access))
  print(options.json, { plans }, tableOf(plans))
}

async function set(name: string, options: SetOptions): Promise<void> {
  const changes = Object.fromEntries(
    planColumns.map((column) => {
      const given = options[flagOf(column).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
      return [column, given === 'none' ? null : given]
    }),
  )
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new ConfigError(
      `Nothing to change: give one of ${planColumns.map((column) => `--${flagOf(column)}`).join(', ')}`,
    )
  }
  const plan = await withStore(dataOf(options), (store) => store.writeAccess((tx) => updatePlan(tx, name, changes)))
  print(options.json, plan, tableOf([plan]))
}

function tableOf(plans: readonly Plan[]): string {
  const head = ['name', ...planColumns].map((column) => column.replaceAll('_', ' ').toUpperCase())
  return table([head, ...plans.map(cells)])
}

function flagOf(column: string): string {
  return column.replaceAll('_', '-')
}

function cells(plan: Plan): string[] {
  const cell = (value: number | boolean | null) => {
    if (typeof value === 'boolean') return value ? 'on' : 'off'
    return value ?? 'unlimited'
  }
  return [plan.name, ...planColumns.map((column) => String(cell(plan[column])))]
}
