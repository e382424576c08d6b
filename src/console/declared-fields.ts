import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'

/** A declared field as the console needs it: with the members of the other fields. */
interface DeclaredField {
  /** `metadata.<key>` */
  name: string
  label: string
  kind: string
  required: false
  readonly: false
  declared: true
  unique?: true
  options?: readonly string[]
  /** The resource of the record that a value names. */
  target?: string
}

/** The declared fields of a company, by environment and resource, in their order. What has none is left out. */
export type DeclaredFields = Partial<Record<Environment, Record<string, DeclaredField[]>>>

/** The kinds of input of the types whose names differ. */
const kinds: Readonly<Record<string, string>> = { boolean: 'flag', datetime: 'timestamp' }

/** Describes the declared fields to the browser, for both workspaces: the console changes between them without loading its page again. */
export function describeDeclared(store: Pick<Store, 'access' | 'workspace'>, companyId: string): DeclaredFields {
  const declared: DeclaredFields = {}
  for (const environment of environments) {
    const fields = declaredIn(store.workspace(findWorkspaceId(store.access, companyId, environment)))
    if (Object.keys(fields).length > 0) declared[environment] = fields
  }
  return declared
}

interface Row {
  resource: string
  key: string
  label: string | null
  type: string
  options: string
  unique: number
}

function declaredIn(reader: Reader): Record<string, DeclaredField[]> {
  const sql = `SELECT resource, key, label, type, options, "unique" FROM field
    WHERE workspace_id = :workspace AND deleted_at IS NULL ORDER BY position, created_at, id`
  const declared: Record<string, DeclaredField[]> = {}
  for (const { resource, ...row } of reader.rows<Row>(sql)) {
    declared[resource] ??= []
    declared[resource].push(describeRow(row))
  }
  return declared
}

function describeRow({ key, label, type, options, unique }: Omit<Row, 'resource'>): DeclaredField {
  return {
    ...{ name: `metadata.${key}`, label: label ?? key, kind: kinds[type] ?? type },
    ...{ required: false, readonly: false, declared: true },
    ...(unique === 1 && ({ unique: true } as const)),
    ...(['choice', 'choices'].includes(type) && { options: JSON.parse(options) }),
    ...(type === 'user' && { target: 'user' }),
  }
}
