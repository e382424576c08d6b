import type { ApiResponse, Client } from '../support/client.ts'

export const contacts = '/api-v1-contacts'

export function put(client: Client, body: object, query = 'match_on=email', path = contacts): Promise<ApiResponse> {
  return client.put(`${path}?${query}`, body)
}

/** The status of an upsert, and what it did. */
export function outcome({ status, headers }: ApiResponse): [status: number, did: string | null] {
  return [status, headers.get('kontor-outcome')]
}
