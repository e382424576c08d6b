import type { IncomingHttpHeaders } from 'node:http'
import { isPlainObject } from '../engine/definition/fields.ts'
import { type Message, RpcError } from './message.ts'

/** The revision whose requests carry everything themselves. */
export const modern = '2026-07-28'
/** Revisions that begin with `initialize`, the newest first. */
export const legacy: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']
export const supported: readonly string[] = [modern, ...legacy]

const metaName = (name: string) => `io.modelcontextprotocol/${name}`
const versionName = metaName('protocolVersion')
const capabilitiesName = metaName('clientCapabilities')

/** What a request says about its client. */
export interface Client {
  isModern: boolean
  /** As it calls itself; null: it does not. */
  name: string | null
  /** Whether it can ask its user. */
  canElicit: boolean
}

/** Which method names a target in `Mcp-Name`, and in which parameter. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * Decides by how a request opens: with `_meta` it is one of the modern revision, whose headers must agree with its body. Throws RpcError.
 */
export function readClient(headers: IncomingHttpHeaders, message: Message): Client {
  const meta = isPlainObject(message.params._meta) ? message.params._meta : {}
  const version = headerOf(headers, 'mcp-protocol-version')
  const isLegacy = meta[versionName] === undefined && (version === undefined || legacy.includes(version))
  if (isLegacy || (meta[versionName] === undefined && message.method === 'initialize')) {
    return { isModern: false, name: shortened(headers['user-agent']), canElicit: false }
  }
  requireVersion(meta, version)
  requireHeaders(headers, message)
  const info = meta[metaName('clientInfo')]
  const name = isPlainObject(info) ? [info.name, info.version].filter((part) => typeof part === 'string').join(' ') : ''
  const capabilities = meta[capabilitiesName] as Record<string, unknown>
  return { isModern: true, name: shortened(name), canElicit: showsForms(capabilities.elicitation) }
}

/** An empty declaration means forms, too; another one may be for links only. */
function showsForms(elicitation: unknown): boolean {
  return isPlainObject(elicitation) && (Object.keys(elicitation).length === 0 || isPlainObject(elicitation.form))
}

function requireVersion(meta: Record<string, unknown>, version: string | undefined): void {
  if (version === undefined) throw new RpcError('headerMismatch', 'The header MCP-Protocol-Version is missing')
  const requested = meta[versionName] ?? version
  if (meta[versionName] !== undefined && requested !== version) {
    throw new RpcError('headerMismatch', 'The header MCP-Protocol-Version differs from the version in _meta')
  }
  if (requested !== modern && (meta[versionName] !== undefined || !supported.includes(version))) {
    const message = `Protocol version ${String(requested).slice(0, 50)} is not supported`
    throw new RpcError('unsupportedVersion', message, { data: { supported, requested } })
  }
  if (meta[versionName] === undefined || !isPlainObject(meta[capabilitiesName])) {
    throw new RpcError('invalidParams', `params._meta must have ${versionName} and ${capabilitiesName}`)
  }
}

function requireHeaders(headers: IncomingHttpHeaders, { method, params }: Message): void {
  if (headerOf(headers, 'mcp-method') !== method) {
    throw new RpcError('headerMismatch', `The header Mcp-Method must be ${method}`)
  }
  const parameter = named[method]
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
  const text = (name ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, nameMax)
  return text === '' ? null : text.toWellFormed()
}
