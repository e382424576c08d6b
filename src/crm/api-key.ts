import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import {
  findKey,
  insertKey,
  keyPattern,
  keyTypes,
  type McpMode,
  mcpModes,
  ownKeysMax,
  requireUnrevoked,
  revokeKey,
  updateKey,
} from '../access/key.ts'
import { scopes } from '../access/scopes.ts'
import { type ApiResponse, shown } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import { refuseParameters } from '../engine/finding/query/parameters.ts'
import { resource } from '../engine/records/define.ts'
import type { Change } from '../engine/records/definition/change.ts'
import type { Storage } from '../engine/records/definition/options.ts'
import { byService, chosen, fixed, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, choices, text } from '../engine/records/kinds/text-kinds.ts'
import { flag, position, timestamp } from '../engine/records/kinds/value-kinds.ts'
import { type JsonObject, readCreate } from '../engine/records/rows/validate.ts'
import { insert } from '../engine/records/rows/write.ts'
import { findId, findText } from '../engine/records/select.ts'
import { type Detail, validationError } from '../errors.ts'
import { descriptionMax } from '../lib/text.ts'
import type { Writer } from '../store/reader.ts'
import { user } from './user.ts'

const path = 'api-v1-keys'
const scope = 'admin:all'

/** The key that sends the example requests, as lists show it. */
export const administration = {
  name: 'Administration',
  description: null,
  scopes: ['admin:all'],
  expires_at: null,
}

/** The access module stores the rows. It generates the key itself, which is shown only once. */
const storage: Storage = {
  insert(tx, id, row) {
    const { key } = insertKey(tx.access, {
      id,
      companyId: tx.value<string>('SELECT company_id FROM workspace WHERE id = :workspace')!,
      environment: row.environment as Environment,
      name: String(row.name),
      description: row.description as string | null,
      scopes: JSON.parse(String(row.scopes)),
      mcpMode: row.mcp_mode as McpMode,
      userId: row.user_id as string | null,
      isActive: row.is_active === 1,
      expiresAt: row.expires_at as string | null,
    })
    return { key }
  },
  update: (tx, id, changes) => updateKey(tx.access, id, changes),
}

/** A company's keys (decision E5). Creating one requires `admin:all`, so no key gets a scope that its creator lacks. */
export const apiKey = resource('api_key', {
  label: 'API key',
  path,
  scope: { read: scope, write: scope },
  table: 'workspace_api_key',
  counted: false,
  storage,
  operations: ['list', 'create', 'get', 'patch'],
  fields: {
    name: required(text(), 'Name is required'),
    description: text({ max: descriptionMax }),
    prefix: byService(chosen(text())),
    environment: fixed(chosen(choice(environments))),
    type: fixed(chosen(choice(keyTypes))),
    user_id: fixed(reference(user)),
    scopes: required(choices(scopes), 'Scopes are required'),
    mcp_mode: choice(mcpModes, { default: 'write' }),
    is_active: flag({ default: true }),
    expires_at: timestamp(),
    revoked_at: byService(timestamp()),
    last_used_at: byService(timestamp()),
    last_used_ip: byService(text()),
    request_count: byService(chosen(position())),
  },
  filters: [
    'name',
    'environment',
    'type',
    'user_id',
    'is_active',
    'expires_at',
    'revoked_at',
    'created_at',
    'updated_at',
  ],
  sorts: ['name', 'expires_at', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  check: checkUser,
  beforeWrite: (change) => (change.before ? requireUnrevoked(change.before.revoked_at) : completeNew(change)),
  about: {
    summary:
      "A company's API key. A test key with `admin:all` manages only test keys, a live one the keys of both environments.",
    fields: {
      prefix: 'The first 24 characters of the key.',
      environment: 'Its workspace. Default: that of the caller. A test key that asks for `live` gets 403.',
      type: 'A `personal` key stops working when its user is deactivated. Default: `personal` if `user_id` is given.',
      user_id: 'The user of a personal key. Only an owner makes or changes one of another owner.',
      scopes:
        'Its permissions. A personal key never has more rights than its user: for a member, `admin:all` means `read:all` and `write:all`, and is shown as these.',
      is_active: 'An inactive key is rejected until it is activated again. A revoked key is inactive.',
      mcp_mode:
        'What agents may do with it at `/mcp`: only read, propose changes that a person applies, or write. It does not restrict other requests: scopes do.',
      expires_at: 'The key is rejected from this time on. For a new key, it must be in the future.',
      revoked_at: 'The time at which it was revoked. A revoked key is rejected permanently.',
      last_used_ip: 'The IP address of its last request.',
    },
    example: {
      name: 'Reporting',
      description: 'The nightly export',
      environment: 'live',
      type: 'shared',
      user_id: null,
      scopes: ['read:all'],
      expires_at: '2027-12-31T00:00:00.000Z',
    },
    shown: { prefix: 'svc_live_EXAMPLEexample0', request_count: 0 },
    conflicts: {
      create: `The user has ${ownKeysMax} personal keys that are not revoked.`,
      patch: 'The key is revoked.',
    },
    patch: { scopes: ['read:organizations', 'read:contacts'] },
    listed: [administration],
    once: {
      key: {
        schema: { type: 'string', pattern: keyPattern.source, description: 'The key itself. It is shown only once.' },
        example: 'svc_live_EXAMPLEexample0EXAMPLEexample0EX',
      },
    },
  },
})

export const revokeRoute: Route = {
  method: 'POST',
  path: `/${path}/:id/revoke`,
  scope,
  takesBody: false,
  run: revoke,
  describe: (doc) => ({
    id: 'revokeApiKey',
    tag: doc.tag(apiKey),
    summary: 'Revoke an API key',
    details: 'This cannot be undone. Revoking a key again changes nothing.',
    response: doc.shown(apiKey, 'The revoked key.'),
    example: {
      params: { id: doc.exampleId('api_key') },
      response: { data: doc.exampleRecord(apiKey, { revoked_at: doc.changedAt, is_active: false }, true) },
    },
  }),
}

/**
 * A new key belongs to the environment of its creator unless the body names one, and it is personal if it has a user. Throws
 * VALIDATION_ERROR if it has already expired (decision D14).
 */
function completeNew({ tx, after }: Change): void {
  if (after.expires_at !== null && String(after.expires_at) <= tx.now) {
    throw validationError([{ field: 'expires_at', message: 'Expires at must be in the future', code: 'OUT_OF_RANGE' }])
  }
  after.environment ??= tx.value<string>('SELECT environment FROM workspace WHERE id = :workspace')!
  after.type ??= after.user_id === null ? 'shared' : 'personal'
}

function checkUser({ type, user_id }: Readonly<Record<string, unknown>>): Detail[] {
  if (type === 'personal' && user_id === null) {
    return [{ field: 'user_id', message: 'User id is required for a personal key', code: 'REQUIRED' }]
  }
  if (type === 'shared' && user_id !== null) {
    return [{ field: 'user_id', message: 'User id must be empty for a shared key', code: 'INVALID_VALUE' }]
  }
  return []
}

/** Creates a key of a company as the API does. Its text, `key`, is not stored. Throws VALIDATION_ERROR, NOT_FOUND (company). */
export function createKey(access: Writer, companyId: string, environment: Environment, body: JsonObject) {
  const tx = access.inWorkspace(findWorkspaceId(access, companyId, environment))
  const { id, once } = insert(apiKey, tx, readCreate(apiKey, tx, body), {})
  return { ...findKey(access, id), key: once!.key! }
}

/** Revoking a key again changes nothing. */
function revoke(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx) => {
    const id = findId(apiKey, tx, call.params.id!) // of this company, before anything is written
    revokeKey(tx.access, id)
    return shown(200, findText(apiKey, tx, id))
  })
}
