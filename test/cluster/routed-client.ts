import type { ApiResponse, Client } from '../support/client.ts'

type Call = (client: Client) => Promise<ApiResponse>

/** A client whose every call is made by `run`, with a client of its choice. */
export function routedClient(base: Client, run: (call: Call) => Promise<ApiResponse>): Client {
  return {
    ...base,
    get: (...args) => run((client) => client.get(...args)),
    post: (...args) => run((client) => client.post(...args)),
    patch: (...args) => run((client) => client.patch(...args)),
    put: (...args) => run((client) => client.put(...args)),
    delete: (...args) => run((client) => client.delete(...args)),
    request: (...args) => run((client) => client.request(...args)),
  }
}
