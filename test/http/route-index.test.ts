import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/features/index.ts'
import { indexRoutes, type RouteSummary } from '../../src/http/route-index.ts'
import { document } from '../support/described.ts'

interface Secured {
  summary: string
  /** Empty if no key is needed. */
  security: Record<string, string[]>[]
}

test('The route index lists the operations of the OpenAPI document, with their summaries and scopes', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { summary, security } = operation as unknown as Secured
      const scopes = security.length > 0 ? { scopes: security.flatMap((scheme) => Object.values(scheme).flat()) } : {}
      return { method: method.toUpperCase(), path: path.replace(/\{(\w+)\}/g, ':$1'), summary, ...scopes }
    }),
  )

  const index = indexRoutes(routes)

  assert.deepEqual(byPath(index), byPath(documented))
})

function byPath(index: RouteSummary[]): Map<string, RouteSummary> {
  return new Map(index.map((route) => [`${route.method} ${route.path}`, route]))
}
