import { isPlainObject } from '../../engine/records/kinds/fields.ts'

/** A JSON-RPC request, or a notification, which has no id. */
export interface Message {
  id: string | number | undefined
  method: string
  params: Readonly<Record<string, unknown>>
}

/** The codes of JSON-RPC and of the protocol, revision 2026-07-28. */
const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** A request that the protocol refuses. Faults of a tool are results instead. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(kind: keyof typeof rpcCodes, message: string, data?: unknown) {
    super(message)
    this.code = rpcCodes[kind]
    this.data = data
  }

  /** The status of the HTTP response in the revision 2026-07-28. */
  get status(): number {
    return this.code === rpcCodes.methodNotFound ? 404 : 400
  }
}

/** Checks a message; undefined: a response to a request that this server never makes. Throws RpcError. */
export function readMessage(value: unknown): Message | undefined {
  if (!isPlainObject(value) || value.jsonrpc !== '2.0') {
    throw new RpcError('invalidRequest', 'A message must be one of JSON-RPC 2.0: {"jsonrpc": "2.0", …}')
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
