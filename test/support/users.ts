import type { Role } from '../../src/access/role.ts'
import { deactivateUser, insertUser } from '../../src/access/user.ts'
import type { Store } from '../../src/store/store.ts'

/** Makes an active user of a company, or an inactive one; answers the id. No endpoint does (decision E2). */
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
