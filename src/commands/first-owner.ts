import { readFileSync } from 'node:fs'
import { hashPassword } from '../access/password.ts'
import { defaultPlan } from '../access/plan.ts'
import { isUntouched } from '../access/setup-link.ts'
import { insertUser } from '../access/user.ts'
import { type Config, ConfigError } from '../config.ts'
import { createCompany } from '../crm/create-company.ts'
import { ApiError, OperatorError } from '../errors.ts'
import type { Store } from '../store/store.ts'

interface FirstOwner {
  company: string
  email: string
  passwordFile: string
}

/** The owner that the settings name; undefined: none. Throws ConfigError if a setting is missing. */
export function firstOwnerOf({
  company,
  ownerEmail: email,
  ownerPasswordFile: passwordFile,
}: Pick<Config, 'company' | 'ownerEmail' | 'ownerPasswordFile'>): FirstOwner | undefined {
  if (company && email && passwordFile) return { company, email, passwordFile }
  if (!company && !email && !passwordFile) return undefined
  throw new ConfigError(
    'KONTOR_COMPANY, KONTOR_OWNER_EMAIL and KONTOR_OWNER_PASSWORD_FILE belong together: set all of them, or none',
  )
}

/**
 * Creates the company and its owner in a database that has no company, user or setup link. Returns the owner's address if it did. Throws
 * OperatorError.
 */
export async function createFirstOwner(store: Store, owner: FirstOwner): Promise<string | undefined> {
  const { company, email, passwordFile } = owner
  if (!isUntouched(store.access)) return undefined
  try {
    const passwordHash = await hashPassword(readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, ''))
    return await store.writeAccess((tx) => {
      if (!isUntouched(tx)) return undefined
      const { id: companyId } = createCompany(tx, { name: company, plan: defaultPlan })
      return insertUser(tx, { companyId, fullName: email.split('@')[0]!, email, role: 'owner', passwordHash }).email
    })
  } catch (error) {
    throw new OperatorError(`The first owner cannot be created: ${reasonOf(error)}.`)
  }
}

/** The settings with the fields of a company and a user. */
const variables = new Map([
  ['name', 'KONTOR_COMPANY'],
  ['email', 'KONTOR_OWNER_EMAIL'],
  ['password', 'KONTOR_OWNER_PASSWORD_FILE'],
])

/** What is wrong, with the setting that it concerns. */
function reasonOf(error: unknown): string {
  const [detail] = error instanceof ApiError ? (error.details ?? []) : []
  const message = detail?.message ?? (error instanceof Error ? error.message : String(error))
  const isOfFile = error instanceof Error && 'path' in error
  const variable = variables.get(detail?.field ?? (isOfFile ? 'password' : ''))
  return variable === undefined ? message : `${variable}: ${message}`
}
