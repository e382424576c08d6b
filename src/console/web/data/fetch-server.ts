import { onServer } from '../session/place.ts'

/** The newest position of a log that this window has seen; 0: the server has no log. */
let seen = 0

/** `fetch` on the server. If several servers share a log, the response shows at least what this window has seen, whichever of them responds. */
export async function fetchServer(
  path: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<Response> {
  const headers = seen === 0 ? init.headers : { ...init.headers, 'Kontor-Min-Position': String(seen) }
  const response = await fetch(onServer(path), { ...init, headers })
  noteSeen(Number(response.headers.get('Kontor-Position')))
  return response
}

export function noteSeen(position = 0): void {
  seen = Math.max(seen, position)
}
