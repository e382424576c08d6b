import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'
import { diskFaultOf, lacksSpace, toApiError } from '../store/constraint.ts'
import type { Exchange, Layer } from './exchange.ts'
import { errorBody, errorHeaders, send } from './response.ts'

/** Turns everything that later layers throw into an error response. Koa's own error handling is never used. */
export function problem(): Layer {
  return async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      try {
        await send(ctx, responseTo(thrown, ctx.state))
      } catch (unsettled) {
        await send(ctx, responseTo(unsettled, ctx.state))
      }
    }
  }
}

/** The response to what a request has thrown. An unexpected error is logged, without its stacks if the disk is full. */
export function responseTo(thrown: unknown, state: Pick<Exchange, 'requestId' | 'takeBack'>): ApiResponse {
  const known = toApiError(thrown)
  const error = known instanceof ApiError ? known : internalError(thrown)
  if (error.status >= 500 && error.cause !== undefined) {
    const fields = lacksSpace(thrown) ? { fault: diskFaultOf(thrown) } : errorFields(thrown)
    log(error.message, { request_id: state.requestId, ...fields }, 'error')
  }
  if (error.status === 429) state.takeBack?.() // decision E7
  return { status: error.status, body: errorBody(error), headers: errorHeaders(error) }
}

function internalError(cause: unknown): ApiError {
  return new ApiError('INTERNAL_ERROR', 'An unexpected error occurred', { cause })
}
