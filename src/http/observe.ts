/** What is told of an answered request: nothing that a caller wrote. */
export interface Observed {
  requestId: string
  method: string
  /** As `/api-v1-organizations/:id`; undefined where it came to none. */
  route: string | undefined
  status: number
  /** From when its headers were read to when its answer was handed to the socket. */
  ms: number
  keyId: string | undefined
  companyId: string | undefined
}

export type Observe = (request: Observed) => void

/** Tells each; undefined where there is none, so that nothing is measured for nobody. */
export function observeAll(observers: readonly Observe[]): Observe | undefined {
  if (observers.length < 2) return observers[0]
  return (request) => {
    for (const observe of observers) observe(request)
  }
}
