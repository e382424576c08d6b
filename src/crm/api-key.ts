import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import { findKey, insertKey, keyPattern, keyTypes, requireUnrevoked, revokeKey, updateKey } from '../access/key.ts'
import { scopes } from '../access/scopes.ts'
import type { Change } from '../engine/definition/change.ts'
import { resource } from '../engine/definition/define.ts'
import { byService, chosen, fixed, reference, required } from '../engine/definition/fields.ts'
import type { Storage } from '../engine/definition/resource.ts'
import { choice, choices, text } from '../engine/definition/text-kinds.ts'
import { flag, position, timestamp } from '../engine/definition/value-kinds.ts'
import { type ApiResponse, shown } from '../engine/http-response.ts'
import { refuseParameters } from '../engine/list/query.ts'
import type { Call, Route } from '../engine/route.ts'
import { findId, findText } from '../engine/select.ts'
import { type JsonObject, readCreate } from '../engine/write/validate.ts'
import { insert } from '../engine/write/write.ts'
import { type Detail, validationError } from '../errors.ts'
import type { Writer } from '../store/reader.ts'
import { user } from './user.ts'

const path = 'api-v1-keys'
const scope = 'admin:all'
const descriptionMax = 100_000

/** The examples' caller, as lists of keys show it. */
export const administration = {
  name: 'Administration',
  description: null,
  scopes: ['admin:all'],
  expires_at: null,
}

/** How the room of access keeps the rows: the key itself is drawn there, and shown this once. */
const storage: Storage = {
  insert(tx, id, row) {
    const { key } = insertKey(tx.access, {
      id,
      companyId: tx.value<string>('SELECT company_id FROM workspace WHERE id = :workspace')!,
      environment: row.environment as Environment,
      name: String(row.name),
      description: row.description as string | null,
      scopes: JSON.parse(String(row.scopes)),
      userId: row.user_id as string | null,
      isActive: row.is_active === 1,
      expiresAt: row.expires_at as string | null,
    })
    return { key }
  },
  update: (tx, id, changes) => updateKey(tx.access, id, changes),
}

/** decision E5: a company's keys. Only one that may do everything can make them, so none grants what it lacks. */
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
    summary: "A company's API key. A test key with `admin:all` manages test keys only, a live one both environments.",
    fields: {
      prefix: 'Its first 24 characters, to recognise it by.',
      environment: "Which workspace it opens. Default: the caller's. A test key that asks for `live` is answered 403.",
      type: '`personal` keys end with their user. Default: `personal` where `user_id` is given.',
      scopes:
        'What it may do. A personal key never has more rights than its user: while the user is a member, `admin:all` has the effect, and is shown, as `read:all` and `write:all`.',
      is_active: 'An inactive key is refused until it is active again. A revoked key is not active.',
      expires_at: 'From then on it is refused. A new key must not have one in the past.',
      revoked_at: 'Since then it is refused for good.',
      last_used_ip: 'The address that it was last used from.',
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
    conflicts: { patch: 'The key is revoked.' },
    patch: { scopes: ['read:organizations', 'read:contacts'] },
    listed: [administration],
    once: {
      key: {
        schema: { type: 'string', pattern: keyPattern.source, description: 'The key itself, shown this once.' },
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
    details: 'For good: it cannot be undone. Again, it changes nothing.',
    response: doc.shown(apiKey, 'The revoked key.'),
    example: {
      params: { id: doc.exampleId('api_key') },
      response: { data: doc.exampleRecord(apiKey, { revoked_at: doc.changedAt, is_active: false }, true) },
    },
  }),
}

/**
 * A key is its maker's environment's unless it says otherwise, and personal where it has a user. Throws VALIDATION_ERROR where it has
 * expired already (decision D14).
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

/** Makes a key of a company as the API does; its text is in `key`, this once. Throws VALIDATION_ERROR, NOT_FOUND (company). */
export function createKey(access: Writer, companyId: string, environment: Environment, body: JsonObject) {
  const tx = access.inWorkspace(findWorkspaceId(access, companyId, environment))
  const { id, once } = insert(apiKey, tx, readCreate(apiKey, tx, body), {})
  return { ...findKey(access, id), key: once!.key! }
}

/** Again changes nothing. */
function revoke(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx) => {
    const id = findId(apiKey, tx, call.params.id!) // of this company, before anything is written
    revokeKey(tx.access, id)
    return shown(200, findText(apiKey, tx, id))
  })
}
