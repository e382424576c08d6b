/** `new URL` drops or replaces spaces, control characters, characters without a shape, and backslashes, and adds missing slashes. */
const repaired = /[\s\\\p{Cc}\p{Cf}]/u
const start = /^https?:\/\/[^/?#]/i

/** An absolute http or https URL; undefined: the text is none, or only `new URL` makes it one. */
export function parseWebUrl(text: string): URL | undefined {
  return start.test(text) && !repaired.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** The URL of a server, below which paths are added: it has no credentials, query or fragment. */
export function parseServerUrl(text: string): URL | undefined {
  return hasCredentials(text) || /[?#]/.test(text) ? undefined : parseWebUrl(text)
}

/** The URL of a path below that of a server. */
export function urlBelow(server: string, path: string): URL {
  return new URL(path, server.endsWith('/') ? server : `${server}/`)
}

/** Whether a URL has a user name or a password, even empty ones, which `new URL` drops. */
export function hasCredentials(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text)
}
