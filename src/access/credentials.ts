import type { Caller } from '../engine/api/call/route.ts'
import { ApiError } from '../errors.ts'
import { requireHere } from '../store/company-move.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { findWorkspaceId } from './company.ts'
import { hashKey, keyPattern, type McpMode } from './key.ts'
import { featuresOf, limitsOf, type PlanLimits, planColumns, type StoredPlan } from './plan.ts'
import { type KeyOwner, viewerOfKey } from './role.ts'

/** The identity and permissions of a valid key or of a session. */
export type Credential = Caller & {
  readonly limits: PlanLimits
  /** The widest mode in which agents may work with it. */
  readonly mcpMode: McpMode
  /** The current credential, also inside a transaction: the same object if nothing has changed. Throws 401 if it is no longer valid. */
  recheck(): Credential
}

type Known = Credential & {
  state: 'active' | 'inactive' | 'revoked'
  expiresAtMs: number
}

type StoredKey = StoredPlan &
  KeyOwner & {
    id: string
    company_id: string
    workspace_id: number
    environment: string
    plan: string
    scopes: string
    mcp_mode: McpMode
    is_active: number
    expires_at: string | null
    revoked_at: string | null
  }

const rememberedMax = 10_000
const rememberedLengthMax = 64

/** Finds the credential of an `Authorization` header. The cache is cleared whenever a key may have changed (decision A8). */
export class Credentials {
  readonly #store: Store
  readonly #known = new Map<string, Known>()
  #version = -1

  constructor(store: Store) {
    this.#store = store
  }

  /** Throws a 401 error if the key is not valid (decision A4), COMPANY_MOVED, SERVICE_UNAVAILABLE. */
  find(authorization: string | undefined): Credential {
    const version = this.#store.accessVersion
    if (version !== this.#version) {
      this.#known.clear()
      this.#version = version
    }
    const known = this.#known.get(authorization!) ?? this.#read(authorization)
    const now = this.#store.clock.now()
    if (known.state !== 'active' || known.expiresAtMs <= now) throw refusal(known, now)
    return known
  }

  #read(authorization: string | undefined): Known {
    const key = readBearer(authorization)
    if (key === undefined) throw missingKey()
    if (!keyPattern.test(key)) throw new ApiError('INVALID_API_KEY', 'Invalid API key format')
    const stored = this.#store.access.row<StoredKey>(
      `SELECT api_key.id, company_id, workspace_id, environment, company.plan, scopes, mcp_mode, is_active, expires_at,
          revoked_at, user_id, user_role, ${planColumns.join(', ')},
          (SELECT is_own FROM api_key AS stored WHERE stored.id = api_key.id) AS is_own
        FROM effective_api_key AS api_key JOIN workspace ON workspace.id = workspace_id
        JOIN company ON company.id = company_id JOIN plan ON plan.name = company.plan
        WHERE hash = ?`,
      hashKey(key),
    )
    if (!stored) throw new ApiError('INVALID_API_KEY', 'Invalid API key')
    requireHere(this.#store.access, stored.company_id)
    return this.#remember(authorization!, { ...knownFrom(stored), recheck: () => this.find(authorization) })
  }

  #remember(authorization: string, known: Known): Known {
    if (authorization.length > rememberedLengthMax) return known
    if (this.#known.size >= rememberedMax) this.#known.clear()
    this.#known.set(authorization, known)
    return known
  }
}

/** The key of an `Authorization` header; undefined: it has none. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]
}

function knownFrom(stored: StoredKey): Omit<Known, 'recheck'> {
  const { is_active, expires_at, revoked_at } = stored
  return {
    keyId: stored.id,
    companyId: stored.company_id,
    workspaceId: stored.workspace_id,
    environment: stored.environment,
    plan: stored.plan,
    scopes: new Set(JSON.parse(stored.scopes)),
    mcpMode: stored.mcp_mode,
    limits: limitsOf(stored),
    features: featuresOf(stored),
    userId: stored.user_id ?? undefined,
    viewer: viewerOfKey(stored),
    isMember: stored.user_role === 'member',
    isOwner: stored.user_role === 'owner',
    state: revoked_at !== null ? 'revoked' : is_active ? 'active' : 'inactive',
    expiresAtMs: expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at),
  }
}

/** The same identity and permissions, in the live workspace of the company. */
export function inLiveWorkspace(access: Reader, credential: Credential): Credential {
  if (credential.environment === 'live') return credential
  const workspaceId = findWorkspaceId(access, credential.companyId, 'live')
  const live: Credential = {
    ...credential,
    ...{ workspaceId, environment: 'live' },
    recheck() {
      const now = credential.recheck()
      return now === credential ? live : inLiveWorkspace(access, now)
    },
  }
  return live
}

/** Revoked takes precedence over expired, expired over inactive (decision A4). */
function refusal({ state, expiresAtMs }: Known, now: number): ApiError {
  if (state === 'revoked') return new ApiError('API_KEY_REVOKED', 'This API key has been revoked')
  if (expiresAtMs <= now) return new ApiError('API_KEY_EXPIRED', 'This API key has expired')
  return new ApiError('API_KEY_INACTIVE', 'This API key is inactive')
}

export function missingKey(): ApiError {
  return new ApiError('UNAUTHORIZED', 'API key is missing: send it as "Authorization: Bearer <API_KEY>"')
}
