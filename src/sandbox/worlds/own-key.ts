import { apiKey } from '../../crm/api-key.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import type { Describer } from '../../engine/records/describe.ts'
import { ApiError } from '../../errors.ts'

const keyPath = `/${apiKey.path}/:id`
/** What decides whether a key is valid, and for what. */
const deciding = ['is_active', 'expires_at', 'scopes']

/** Keeps the key that controls a world valid (decision I1): without it, not even a reset would be possible. */
export function keepingKey(routes: readonly Route[], ownKeyId: () => string): Route[] {
  return routes.map((route) => {
    const isRevoke = route.method === 'POST' && route.path === `${keyPath}/revoke`
    if (!isRevoke && !(route.method === 'PATCH' && route.path === keyPath)) return route
    return {
      ...route,
      run: (call: Call) => {
        const isLost = isRevoke || deciding.some((name) => name in call.body)
        if (isLost && call.params.id === ownKeyId()) throw refusal()
        return route.run(call)
      },
      describe: (doc: Describer) => {
        const description = route.describe(doc)
        return { ...description, errors: { CONFLICT: 'The key controls the sandbox.', ...description.errors } }
      },
    }
  })
}

function refusal(): ApiError {
  return new ApiError('CONFLICT', 'This key controls the sandbox, so it stays as it is: create another key for this')
}
