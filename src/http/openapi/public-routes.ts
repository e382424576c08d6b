/** Routes that need no key, by path, with what they do. */
export const publicRoutes = {
  '/openapi.json': 'Get the OpenAPI document',
  '/llms.txt': 'Get a summary of the API for language models',
  '/docs': 'Read the API documentation and try requests',
  '/healthz': 'Check that the process is alive',
  '/readyz': 'Check that the server accepts requests',
  '/readyz/leader': 'Check that the server accepts writes',
} as const

/** The door for mail from somebody without a key, which is open with `--mail-domain`. */
export const mailIn = { method: 'POST', path: '/mail/in', summary: 'Deliver a message without a key' } as const

export type PublicPath = keyof typeof publicRoutes
