/** Why a request got no response. */
export interface Unreached {
  fault: string
  /** Whether the address may be wrong, which trying again does not mend. */
  isAddress: boolean
}

/** Names that cannot be resolved, and addresses that nobody can have. */
const addressCodes = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL']

/** What an error of fetch means. OpenSSL's own text has its source files and lines. */
export function unreached(error: unknown): Unreached {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
  const code = cause?.code ?? ''
  if (cause?.message === 'bad port') return { fault: 'HTTP never uses this port', isAddress: true }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return { fault: 'it does not speak https', isAddress: true }
  return { fault: cause?.message || message, isAddress: addressCodes.includes(code) }
}

/**
 * What to do about a redirection; undefined: the response is none. A program that followed it would lose its key or the body of its request.
 */
export function redirectionOf(
  url: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location === null) return undefined
  return `${url} redirects to ${URL.parse(location, url)?.href ?? location}: give the address to which it leads as --url`
}
