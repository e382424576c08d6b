import { resource } from '../engine/records/define.ts'
import { required } from '../engine/records/kinds/fields.ts'
import { choice, email, text } from '../engine/records/kinds/text-kinds.ts'
import { flag, timestamp } from '../engine/records/kinds/value-kinds.ts'

/** A company's users, visible in each of its workspaces (decision E2). The console and the command line create them. */
export const user = resource('user', {
  path: 'api-v1-users',
  scope: { read: 'read:any', write: 'admin:all' },
  table: 'workspace_user',
  idTable: 'user',
  counted: false,
  stamped: false,
  operations: ['list', 'get'],
  fields: {
    full_name: required(text(), 'Full name is required'),
    email: required(email(), 'Email is required'),
    role: choice(['owner', 'admin', 'member'], { default: 'member' }),
    is_active: flag(),
  },
  unshown: { created_at: timestamp(), updated_at: timestamp() },
  filters: ['full_name', 'email', 'role', 'is_active', 'created_at', 'updated_at'],
  sorts: ['full_name', 'email', 'role', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  summary: ['id', 'full_name', 'email'],
  referable: 'is_active = 1',
  changesReadBy: () => ['admin:all'],
  about: {
    summary: 'A user of the company. Administrators create users in the console, not through the API.',
    example: { full_name: 'Grace Hopper', email: 'grace@example.com', role: 'member', is_active: true },
  },
})
