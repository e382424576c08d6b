import type { IncomingHttpHeaders } from 'node:http'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { beginningOf } from '../../lib/text.ts'
import { type Message, RpcError } from './message.ts'

/** The revision whose requests carry everything themselves. */
const modern = '2026-07-28'
/** Revisions that begin with `initialize`, the newest first. */
export const legacy: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']
export const supported: readonly string[] = [modern, ...legacy]

const metaName = (name: string) => `io.modelcontextprotocol/${name}`
const versionName = metaName('protocolVersion')
const capabilitiesName = metaName('clientCapabilities')
const versionHeader = 'mcp-protocol-version'

/** What a request says about its client. */
export interface Client {
  isModern: boolean
  /** As it calls itself; null: it does not. */
  name: string | null
  /** Whether it can ask its user. */
  canElicit: boolean
}

/** Which method names a target in `Mcp-Name`, and in which parameter. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * Decides by how a request opens: with `_meta` it is one of the modern revision, whose headers must agree with its body. Throws RpcError.
 */
export function readClient(headers: IncomingHttpHeaders, message: Message): Client {
  const meta = isPlainObject(message.params._meta) ? message.params._meta : {}
  const declared = meta[versionName]
  const version = headerOf(headers, versionHeader)
  const isLegacy = version === undefined || legacy.includes(version) || message.method === 'initialize'
  if (declared === undefined && isLegacy) {
    return { isModern: false, name: shortened(headers['user-agent']), canElicit: false }
  }
  requireVersion(version, declared)
  if (declared === undefined || !isPlainObject(meta[capabilitiesName])) {
    throw new RpcError('invalidParams', `params._meta must have ${versionName} and ${capabilitiesName}`)
  }
  requireHeaders(headers, message)
  const info = meta[metaName('clientInfo')]
  const name = isPlainObject(info) ? [info.name, info.version].filter((part) => typeof part === 'string').join(' ') : ''
  return { isModern: true, name: shortened(name), canElicit: showsForms(meta[capabilitiesName].elicitation) }
}

/** Whether a request may be a list of messages: only in the oldest revision, whose clients need not name it. */
export function takesBatches(headers: IncomingHttpHeaders): boolean {
  return [undefined, legacy.at(-1)].includes(headerOf(headers, versionHeader))
}

/** An empty declaration means forms, too; another one may be for links only. */
function showsForms(elicitation: unknown): boolean {
  return isPlainObject(elicitation) && (Object.keys(elicitation).length === 0 || isPlainObject(elicitation.form))
}

function requireVersion(version: string | undefined, declared: unknown): void {
  if (version === undefined) throw new RpcError('headerMismatch', 'The header MCP-Protocol-Version is missing')
  if (declared !== undefined && declared !== version) {
    throw new RpcError('headerMismatch', 'The header MCP-Protocol-Version differs from the version in _meta')
  }
  if (version !== modern) {
    const message = `Protocol version ${beginningOf(version, 50)} is not supported`
    throw new RpcError('unsupportedVersion', message, { supported, requested: version })
  }
}

function requireHeaders(headers: IncomingHttpHeaders, { method, params }: Message): void {
  if (headerOf(headers, 'mcp-method') !== method) {
    throw new RpcError('headerMismatch', `The header Mcp-Method must be ${method}`)
  }
  const parameter = named.get(method)
  if (parameter !== undefined && headerOf(headers, 'mcp-name') !== params[parameter]) {
    throw new RpcError('headerMismatch', `The header Mcp-Name must be the same as params.${parameter}`)
  }
}

/** A header whose value is no plain ASCII is encoded: `=?base64?…?=`. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  if (typeof value !== 'string') return undefined
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}

const nameMax = 100

function shortened(name: string | undefined): string | null {
  const text = (name ?? '').toWellFormed().replaceAll('\0', '').trim()
  return text === '' ? null : beginningOf(text, nameMax)
}
