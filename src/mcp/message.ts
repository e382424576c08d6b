import { isPlainObject } from '../engine/definition/fields.ts'

/** A JSON-RPC request, or a notification, which has no id. */
export interface Message {
  id: string | number | undefined
  method: string
  params: Readonly<Record<string, unknown>>
}

/** The codes of JSON-RPC and of the protocol, revision 2026-07-28. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** A request that the protocol refuses. Faults of a tool are results instead. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  /** The status of the HTTP response. */
  readonly status: number
  readonly data: unknown

  constructor(
    kind: keyof typeof rpcCodes,
    message: string,
    { status = 400, data }: { status?: number; data?: unknown } = {},
  ) {
    super(message)
    this.code = rpcCodes[kind]
    this.status = status
    this.data = data
  }
}

/** Checks the body of a request; undefined: a response to a request that this server never makes. Throws RpcError. */
export function readMessage(value: unknown): Message | undefined {
  if (Array.isArray(value))
    throw new RpcError('invalidRequest', 'Batches are not supported: send one message per request')
  if (!isPlainObject(value) || value.jsonrpc !== '2.0') {
    throw new RpcError('invalidRequest', 'The body must be a JSON-RPC 2.0 message: {"jsonrpc": "2.0", …}')
  }
  const { id, method, params = {} } = value
  if (method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'))) return undefined
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'method must be a string')
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id)) {
    throw new RpcError('invalidRequest', 'id must be a string or an integer')
  }
  if (!isPlainObject(params)) throw new RpcError('invalidParams', 'params must be an object')
  return { id: id as Message['id'], method, params }
}

/** The id of a message that may be invalid, for the response; null: it has none. */
export function idOfMessage(value: unknown): string | number | null {
  const id = isPlainObject(value) ? value.id : undefined
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null
}
