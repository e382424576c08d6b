import assert from 'node:assert/strict'
import type { ApiResponse } from '../support/client.ts'

/** Sends this many requests at once. */
export function times(count: number, request: () => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: count }, request))
}

/** The rate limit headers of a response (spec: Rate limits; decision E7). */
export function limitsOf({ headers }: { headers: Headers }) {
  const number = (name: string) => {
    const text = headers.get(name)
    assert.match(text ?? '', /^\d+$/, name)
    return Number(text)
  }
  return {
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
  }
}

/** How many responses have this status. */
export function countOf(responses: readonly { status: number }[], status: number): number {
  return responses.filter((response) => response.status === status).length
}
