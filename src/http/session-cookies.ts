import { sessionDays } from '../access/session.ts'

const plainName = 'kontor_session'
const secondsPerDay = 86_400

/** The cookie of a session. Below the path of a public URL it is not sent to the other programs of the host (decision N4). */
export class SessionCookies {
  readonly #secureName: string
  readonly #path: string

  constructor(basePath: string) {
    // Browsers accept `__Host-` only over HTTPS, from this host and for all of its paths, `__Secure-` only over HTTPS.
    this.#secureName = basePath === '' ? `__Host-${plainName}` : `__Secure-${plainName}`
    this.#path = basePath || '/'
  }

  /** `Set-Cookie` for a session's token; without a token, the cookie is removed. */
  write(isSecure: boolean, token = ''): string {
    const lifetime = token === '' ? 0 : sessionDays * secondsPerDay
    const attributes = `Path=${this.#path}; HttpOnly; SameSite=Strict; Max-Age=${lifetime}`
    return isSecure ? `${this.#secureName}=${token}; ${attributes}; Secure` : `${plainName}=${token}; ${attributes}`
  }

  /**
   * The session's token. Over HTTPS only the cookie with the prefix is valid, which no HTTP connection can set. Without HTTPS both are,
   * because the client may use HTTPS behind a proxy that is not listed as trusted.
   */
  read(cookies: string, isSecure: boolean): string | undefined {
    return tokenNamed(this.#secureName, cookies) ?? (isSecure ? undefined : tokenNamed(plainName, cookies))
  }
}

function tokenNamed(name: string, cookies: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`).exec(cookies)?.[1]
}
