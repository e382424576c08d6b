import type { Credential } from '../access/credentials.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import { innerOf, jsonOf } from '../http/inner-request.ts'
import { responseTo } from '../http/problem.ts'
import { notFound } from '../http/router.ts'

interface Parts {
  admission: Admission
  /** The permissions of the user who sends a request. */
  lookup: (outer: Ctx) => Credential | undefined
  /** Runs a GET within another request. */
  run: Layer
}

/**
 * Returns a function that runs a GET within another request of the console. It passes the same checks as a request of its own, and counts
 * against the rate limit. Returns errors as responses.
 */
export function readWithin({ admission, lookup, run }: Parts) {
  return async (outer: Ctx, target: string): Promise<ApiResponse> => {
    const ctx = innerOf(outer, { method: 'GET', target })
    try {
      const credential = lookup(outer)
      if (!credential) throw new ApiError('UNAUTHORIZED', 'Sign in first')
      admission.count(ctx, credential)
      ctx.state.credential = credential
      await run(ctx, notFound)
      return jsonOf(ctx.state.content!)
    } catch (thrown) {
      return responseTo(thrown, ctx.state)
    }
  }
}
