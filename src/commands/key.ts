import { type Command, Option } from 'commander'
import { type Environment, environments } from '../access/company.ts'
import { type ApiKey, listKeys, revokeKey, setKeyActive } from '../access/key.ts'
import { scopes } from '../access/scopes.ts'
import { createKey } from '../crm/api-key.ts'
import type { Writer } from '../store/reader.ts'
import { withStore } from './open-store.ts'
import { print, table } from './print.ts'
import { administer, type CommonOptions, command, dataOf, list as listOf } from './program.ts'

interface CreateOptions extends CommonOptions {
  company: string
  name: string
  description?: string
  scopes: string[]
  environment: Environment
  user?: string
  expiresAt?: string
}

export function keyCommand(): Command {
  const key = command('key', 'create, list, disable, enable and revoke API keys')
  key.addCommand(
    administer('create', 'create an API key; it is shown only once')
      .requiredOption('--company <id>', "the company's id")
      .requiredOption('--name <name>', 'what the key is for')
      .requiredOption('--scopes <a,b>', `what the key may do: ${scopes.join(', ')}`, listOf)
      .addOption(
        new Option('--environment <name>', 'workspace that the key can access').choices(environments).default('live'),
      )
      .option('--description <text>', 'longer description')
      .option('--user <id>', 'make the key personal: it is revoked when this user is deactivated')
      .option('--expires-at <time>', 'ISO 8601 timestamp or date')
      .action(create),
  )
  key.addCommand(
    administer('list', "list a company's keys").requiredOption('--company <id>', "the company's id").action(list),
  )
  key.addCommand(changing('disable', 'reject a key until it is enabled again', (tx, id) => setKeyActive(tx, id, false)))
  key.addCommand(changing('enable', 'accept a disabled key again', (tx, id) => setKeyActive(tx, id, true)))
  key.addCommand(changing('revoke', 'reject a key permanently', revokeKey))
  return key
}

async function create({ company, environment, user, expiresAt, ...options }: CreateOptions): Promise<void> {
  const { name, description, scopes } = options
  const body = { name, description, scopes, user_id: user, expires_at: expiresAt }
  const key = await withStore(dataOf(options), (store) =>
    store.writeAccess((tx) => createKey(tx, company, environment, body)),
  )
  print(options.json, key, `Key ${key.name} (${key.environment}): ${key.id}\n\n  ${key.key}\n\nIt is shown only once.`)
}

async function list(options: CommonOptions & { company: string }): Promise<void> {
  const keys = await withStore(dataOf(options), (store) => listKeys(store.access, options.company))
  const rows = keys.map((key) => [key.id, `${key.prefix}…`, stateOf(key), key.last_used_at ?? 'never used', key.name])
  print(options.json, { keys }, table([['ID', 'KEY', 'STATE', 'LAST USED', 'NAME'], ...rows]))
}

function changing(name: string, about: string, change: (tx: Writer, id: string) => ApiKey): Command {
  return administer(name, about)
    .argument('<id>', "the key's id")
    .action(async (id: string, options: CommonOptions) => {
      const key = await withStore(dataOf(options), (store) => store.writeAccess((tx) => change(tx, id)))
      print(options.json, key, `Key ${key.name} is ${stateOf(key)}.`)
    })
}

function stateOf({ revoked_at, expires_at, is_active }: ApiKey): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired'
  return is_active ? 'active' : 'inactive'
}
