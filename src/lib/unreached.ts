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
