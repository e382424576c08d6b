import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { invitationDays, lookupExpiry, renewInvitation } from '../access/invitation.ts'
import { hashPassword } from '../access/password.ts'
import { type Role, roles } from '../access/role.ts'
import { deactivateUser, insertUser, listUsers, lookupPasswordHash } from '../access/user.ts'
import { invitationPath } from '../console/password.ts'
import { OperatorError } from '../errors.ts'
import { withStore } from './open-store.ts'
import { print, table } from './print.ts'
import { type LinkOptions, printLink } from './print-link.ts'
import { administer, type CommonOptions, command, dataOf, withSettings } from './program.ts'

interface CreateOptions extends CommonOptions {
  company: string
  email: string
  name: string
  role: Role
  passwordStdin?: boolean
}

export function userCommand(): Command {
  const user = command('user', 'create, list and deactivate users, and replace lost passwords')
  user.addCommand(
    administer('create', 'create a user')
      .requiredOption('--company <id>', "the company's id")
      .requiredOption('--email <address>', 'email address')
      .requiredOption('--name <name>', 'full name')
      .addOption(new Option('--role <role>', 'what the user may do').choices(roles).default('member'))
      .option('--password-stdin', 'read the password from standard input')
      .action(create),
  )
  user.addCommand(
    administer('list', "list a company's users").requiredOption('--company <id>', "the company's id").action(list),
  )
  user.addCommand(
    administer('deactivate', "deactivate a user and revoke the user's personal keys")
      .argument('<id>')
      .action(deactivate),
  )
  const about = 'create a link with which a user chooses a new password; invalidates an earlier one'
  user.addCommand(
    withSettings(administer('password-link', about).argument('<id>'), ['publicUrl']).action(createPasswordLink),
  )
  return user
}

async function create(options: CreateOptions): Promise<void> {
  const { company: companyId, name: fullName, email, role } = options
  const password = options.passwordStdin ? readPassword() : undefined
  const user = await withStore(dataOf(options), async (store) => {
    const like = lookupPasswordHash(store.access, email)
    const passwordHash = password === undefined ? undefined : await hashPassword(password, { like })
    return store.writeAccess((tx) => insertUser(tx, { companyId, fullName, email, role, passwordHash }))
  })
  print(options.json, user, `User ${user.full_name} <${user.email}> (${user.role}): ${user.id}`)
}

async function list(options: CommonOptions & { company: string }): Promise<void> {
  const users = await withStore(dataOf(options), (store) => listUsers(store.access, options.company))
  const rows = users.map((user) => [
    user.id,
    user.role,
    user.is_active ? 'active' : 'inactive',
    user.email,
    user.full_name,
  ])
  print(options.json, { users }, table([['ID', 'ROLE', 'STATE', 'EMAIL', 'NAME'], ...rows]))
}

async function deactivate(id: string, options: CommonOptions): Promise<void> {
  const user = await withStore(dataOf(options), (store) => store.writeAccess((tx) => deactivateUser(tx, id)))
  print(options.json, user, `User ${user.full_name} is deactivated, and their personal keys are revoked.`)
}

async function createPasswordLink(id: string, options: LinkOptions): Promise<void> {
  const { token, expires_at } = await withStore(dataOf(options), (store) =>
    store.writeAccess((tx) => ({ token: renewInvitation(tx, id), expires_at: lookupExpiry(tx, id) })),
  )
  const until = `It works once, within ${invitationDays} days`
  printLink(options, invitationPath(token), { purpose: 'choose a new password', until, more: { expires_at } })
}

function readPassword(): string {
  const password = readFileSync(0, 'utf8').replace(/\r?\n$/, '')
  if (password === '') throw new OperatorError('The password on standard input is empty.')
  return password
}
