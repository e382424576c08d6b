import { isIP } from 'node:net'
import { type ApiError, forbidden } from '../errors.ts'

/**
 * Why a browser's page of this origin may not send requests; undefined: it may. A page can let its own name lead to this server (DNS rebinding),
 * so that its origin seems to be this server's. Only a public URL, an address or `localhost` proves that it is.
 */
export function originRefusal(
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  { allowed, publicUrl }: { allowed: readonly string[]; publicUrl: string | undefined },
): ApiError | undefined {
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return undefined
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return undefined
  if (publicUrl === undefined && URL.canParse(origin)) {
    const given = new URL(origin)
    if (given.host === host && isOwnName(given.hostname)) return undefined
  }
  const message = `Pages of ${origin.slice(0, 200)} may not use this endpoint: allow the origin with KONTOR_MCP_ORIGINS`
  return forbidden(message)
}

function isOwnName(name: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
