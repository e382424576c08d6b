import type { Role } from '../../src/access/role.ts'
import { deactivateUser, insertUser } from '../../src/access/user.ts'
import type { Store } from '../../src/store/store.ts'

/** Creates a user of a company, by default an active one. Returns the id. No endpoint of the API does this (decision E2). */
export type AddUser = (fields?: Record<string, unknown>) => Promise<string>

let users = 0

export function userAdder(store: Store, companyId: string): AddUser {
  return ({ full_name, email, role, is_active } = {}) =>
    store.writeAccess((tx) => {
      const { id } = insertUser(tx, {
        companyId,
        fullName: String(full_name ?? 'Ada Lovelace'),
        email: String(email ?? `ada${++users}@kontor.example`),
        role: (role ?? 'member') as Role,
      })
      if (is_active === false) deactivateUser(tx, id)
      return id
    })
}
