/** A request and its response as observers see them. */
export interface Observed {
  requestId: string
  /** The client's address. */
  address: string
  method: string
  /** The path as sent, without the query; undefined if the request could not be parsed. */
  path: string | undefined
  /** The path of the route, `/api-v1-organizations/:id`; undefined if no route matches. */
  route: string | undefined
  status: number
  /** The time in milliseconds from reading the headers to passing the response to the socket. */
  ms: number
  keyId: string | undefined
  /** The id of the user who is signed in to the console. */
  userId: string | undefined
  companyId: string | undefined
}

export type Observe = (request: Observed) => void

/**
 * Combines observers; undefined if there are none, so that nothing is measured. `nameRoute` finds the route of a request that was rejected
 * before it was dispatched.
 */
export function observeAll(
  observers: readonly Observe[],
  nameRoute: (path: string) => string | undefined,
): Observe | undefined {
  if (observers.length === 0) return undefined
  return (request) => {
    if (request.route === undefined && request.path !== undefined) request.route = nameRoute(request.path)
    for (const observe of observers) observe(request)
  }
}
