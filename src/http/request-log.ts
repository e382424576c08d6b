import { logText } from '../lib/log.ts'
import type { Observe } from './observe.ts'

const quiet = new Set(['/healthz', '/readyz'])

/** One line a request, a warning where it took `slowMs` or longer. None of its fields needs escaping. */
export function requestLog(slowMs: number): Observe {
  return ({ requestId, method, route, status, ms, keyId, companyId }) => {
    if (route !== undefined && quiet.has(route)) return
    const taken = `"method":"${method}","route":${text(route)},"status":${status},"ms":${ms.toFixed(3)}`
    const fields = `"id":"${requestId}",${taken},"key_id":${text(keyId)},"company_id":${text(companyId)}`
    logText('request', fields, ms >= slowMs ? 'warn' : 'info')
  }
}

function text(value: string | undefined): string {
  return value === undefined ? 'null' : `"${value}"`
}
