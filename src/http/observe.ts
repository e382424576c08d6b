/** What observers learn of a request and its response. */
export interface Observed {
  requestId: string
  /** Of the client. */
  address: string
  method: string
  /** Without the query, as the caller wrote it; undefined where the request could not be read. */
  path: string | undefined
  /** As `/api-v1-organizations/:id`; undefined where the path leads to none. */
  route: string | undefined
  status: number
  /** From when its headers were read to when its answer was handed to the socket. */
  ms: number
  keyId: string | undefined
  /** Of who is signed in to the console. */
  userId: string | undefined
  companyId: string | undefined
}

export type Observe = (request: Observed) => void

/**
 * Tells each; undefined where there is none, so that nothing is measured for nobody. `nameRoute` names the route of a path for a request
 * that was rejected on its way there.
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
