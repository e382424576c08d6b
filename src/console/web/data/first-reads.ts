import { environmentOf } from '../session/place.ts'
import { onceIdle } from './busy.ts'

/** The bodies of responses that the page contains, by the paths of their requests, until it has been shown: later, they are old. */
let known: Record<string, unknown> = {}
let environment: string | undefined

export function keepKnown(bodies: Record<string, unknown>): void {
  known = bodies
  environment = environmentOf(location.pathname)
  onceIdle(() => {
    known = {}
  })
}

/** The response to a GET, if the page contains it; once. */
export function takeKnown(path: string, headers: Readonly<Record<string, string>>): Response | undefined {
  const body = known[path]
  if (body === undefined || headers['Kontor-Environment'] !== environment) return undefined
  delete known[path]
  return Response.json(body)
}
