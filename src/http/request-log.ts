import { logText } from '../lib/log.ts'
import type { Observe } from './observe.ts'

const quiet = new Set(['/healthz', '/readyz', '/readyz/leader'])

/** Logs one line for each request, as a warning if it took `slowMs` or longer. Only the path needs escaping. */
export function requestLog(slowMs: number): Observe {
  return ({ requestId, address, method, path, route, status, ms, keyId, userId, companyId }) => {
    if (route !== undefined && quiet.has(route)) return
    const target = `"method":"${method}","path":${path === undefined ? 'null' : pathText(path)},"route":${text(route)}`
    const caller = `"key_id":${text(keyId)},"user_id":${text(userId)},"company_id":${text(companyId)}`
    const fields = `"id":"${requestId}","address":"${address}",${target},"status":${status},"ms":${ms.toFixed(3)},${caller}`
    logText('request', fields, ms >= slowMs ? 'warn' : 'info')
  }
}

function text(value: string | undefined): string {
  return value === undefined ? 'null' : `"${value}"`
}

const lengthMax = 200
/** API keys, and the tokens of calendars. */
const key = /svc_(?:live|test)_[a-z\d]*|cal_[\w-]{20,}/gi

/** A request's path as JSON text for the log: of limited length, and with API keys and the tokens of calendars masked. */
export function pathText(path: string): string {
  if (path.length <= lengthMax && !path.includes('svc_') && !path.includes('cal_') && !path.includes('%'))
    return JSON.stringify(path)
  const decoded = decode(path)
  const readable = decoded.search(key) === -1 ? path : decoded
  const masked = readable.replace(key, '[key]')
  return JSON.stringify(masked.length <= lengthMax ? masked : `${masked.slice(0, lengthMax)}…`)
}

/** Decodes percent-encoded ASCII, which may hide a key. */
function decode(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (escaped) => {
    const code = Number.parseInt(escaped.slice(1), 16)
    return code < 0x80 ? String.fromCharCode(code) : escaped
  })
}
