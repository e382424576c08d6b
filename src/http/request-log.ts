import { logText } from '../lib/log.ts'
import { pathText } from './logged-path.ts'
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
