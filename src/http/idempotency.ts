import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type IdempotencyName, insertStored, lookupStored, removeStored, responseKeyOf } from '../access/idempotency.ts'
import { grants } from '../access/scopes.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Around, Call, Caller } from '../engine/api/call/route.ts'
import { ApiError, validationError } from '../errors.ts'
import { decrypt, encrypt } from '../lib/cipher.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import type { Reader, Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { hidesOne, type Viewer } from '../store/visibility.ts'
import { noBody } from './body.ts'
import type { Ctx, Exchange, Layer } from './exchange.ts'

const storedMs = dayMs
const keyPattern = /^[\x21-\x7e]{1,255}$/

type Rights = Pick<Caller, 'scopes' | 'isMember' | 'isOwner'>

interface Repeatable extends IdempotencyName {
  workspaceId: number
  viewer: Viewer
  rights: Rights
  /** A hash of the request, to detect another request with the same key. */
  request: string
  /** Encrypts the stored response. */
  encryptionKey: Buffer
}

/**
 * Whether a request is processed once, however often it is sent: a POST with an Idempotency-Key (decision B15), or an agent's operation.
 */
export function isRepeatable({ req, state }: Ctx): boolean {
  return state.operation !== undefined || req.headers['idempotency-key'] !== undefined
}

/**
 * Repeats the response of a request that has succeeded before. It was stored in the transaction that wrote the record. Errors are not stored:
 * the caller may correct the request and send it with the same key.
 */
export class Idempotency {
  readonly #store: Store
  readonly #running = new Set<string>()

  constructor(store: Store) {
    this.#store = store
  }

  readonly layer: Layer = (ctx, next) => (isRepeatable(ctx) ? this.#once(ctx, next) : next())

  /** Processes a request once. Throws VALIDATION_ERROR (the key), CONFLICT (another request, or one that is still running). */
  async #once({ req, state }: Ctx, next: () => Promise<void>): Promise<void> {
    const given = describe(req, state)
    const name = JSON.stringify([given.workspaceId, given.id, given.idempotencyKey])
    if (this.#running.has(name)) {
      const message = 'A request with this Idempotency-Key is still running'
      throw new ApiError('CONFLICT', message, { headers: { 'Retry-After': '1' } })
    }
    const reader = this.#store.workspace(given.workspaceId, { view: given.viewer })
    const stored = lookupResponse(reader, given, this.#store.clock.now())
    if (stored) {
      await this.#store.confirm() // the first request may have ended before its write was on disk
      state.content = stored
      return
    }
    this.#running.add(name)
    try {
      state.call = storing(state.call!, given)
      await next()
    } finally {
      this.#running.delete(name)
    }
  }
}

/** The same call, whose write also stores the response, also if the write is that of a request within it. */
function storing(call: Call, given: Repeatable): Call {
  const stored: Around = (write) => (make) =>
    write((tx, caller) => {
      const response = make(tx, caller)
      storeResponse(tx, { ...given, rights: caller }, response)
      return response
    })
  return {
    ...call,
    write: stored(call.write),
    perform: ({ around = (write) => write, ...request }) =>
      call.perform({ ...request, around: (write) => around(stored(write)) }),
  }
}

function describe(req: IncomingMessage, { call, operation, body = noBody, path, query }: Exchange): Repeatable {
  const idempotencyKey = operation ?? readKey(req)
  const { caller } = call!
  const { workspaceId, viewer, keyId, user } = caller
  return {
    ...{ workspaceId, viewer, rights: caller },
    ...(user ? { by: 'user', id: user.id } : { by: 'api_key', id: keyId }),
    idempotencyKey,
    request: createHash('sha256').update(`${req.method} ${path}?${query}\n`).update(body.bytes).digest('hex'),
    encryptionKey: user ? responseKeyOf(call!.access, user.id) : responseKeyFor(req),
  }
}

/** Derived from the API key, which is not stored: a response may show a new key, which must not be readable in the database. */
function responseKeyFor({ headers }: IncomingMessage): Buffer {
  return createHmac('sha256', headers.authorization!.split(/ +/)[1]!).update('idempotent answer').digest()
}

function readKey({ headers }: IncomingMessage): string {
  const key = String(headers['idempotency-key'])
  if (keyPattern.test(key)) return key
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
  throw validationError([{ field: 'Idempotency-Key', message, code: 'INVALID_FORMAT' }])
}

const naming = new Set(['id', 'record_id', 'message_id'])

interface StoredResponse {
  response: ApiResponse
  /** The author's when it was made; none if an earlier version has stored it. */
  rights: Rights
  /** The id of the request that has written; undefined if an earlier version has stored it. */
  requestId: string | undefined
}

/** Whether the author has lost a right since: a new request might be refused, or show less. */
function isNarrowed(before: Rights, now: Rights): boolean {
  const isDemoted = (now.isMember && !before.isMember) || (before.isOwner && !now.isOwner)
  return isDemoted || [...before.scopes].some((scope) => !grants(now.scopes, scope))
}

function parseStored(text: string): StoredResponse {
  const { rights = { scopes: [], isMember: true, isOwner: false }, requestId, ...response } = JSON.parse(text)
  return { response, rights: { ...rights, scopes: new Set(rights.scopes) }, requestId }
}

/** The ids of the records that a stored response shows. Metadata only repeat what was sent. */
function recordIdsIn(response: ApiResponse): string[] {
  const ids = new Set<string>()
  const collect = (value: unknown, name = '') => {
    if (typeof value === 'string' && naming.has(name)) ids.add(value)
    if (typeof value !== 'object') return
    for (const [key, each] of Object.entries(value ?? {})) if (key !== 'metadata') collect(each, key)
  }
  if (response.body !== '') collect(JSON.parse(response.body))
  for (const each of response.headers ?? []) ids.add(each.slice(each.lastIndexOf('/') + 1))
  return [...ids]
}

/** Finds the stored response. Throws CONFLICT if the key was used for another request, or if it is no longer available. */
function lookupResponse(reader: Reader, given: Repeatable, nowMs: number): ApiResponse | undefined {
  const stored = lookupStored(reader, given, timestamp(nowMs - storedMs))
  if (!stored) return undefined
  if (stored.request !== given.request) {
    throw new ApiError('CONFLICT', 'This Idempotency-Key was used for another request')
  }
  const found = stored.response === '' ? undefined : parseStored(decrypt(given.encryptionKey, stored.response))
  if (!found || isNarrowed(found.rights, given.rights) || hidesOne(reader, recordIdsIn(found.response))) {
    throw new ApiError(
      'CONFLICT',
      'This request has been processed. Its response is no longer available, because a record has been erased or hidden, a right has been lost, or the company has moved, since',
    )
  }
  const { response, requestId } = found
  const origin = requestId === undefined ? [] : ['Kontor-Original-Request-Id', requestId]
  return { ...response, headers: [...(response.headers ?? []), 'Idempotent-Replayed', 'true', ...origin] }
}

function storeResponse(tx: Writer, given: Repeatable, response: ApiResponse): void {
  removeStored(tx, given.by, timestamp(Date.parse(tx.now) - storedMs))
  const { scopes, isMember, isOwner } = given.rights
  const { requestId } = tx.origin
  const text = JSON.stringify({ ...response, rights: { scopes: [...scopes], isMember, isOwner }, requestId })
  insertStored(tx, given, { request: given.request, response: encrypt(given.encryptionKey, text) })
}
