import type { Command } from 'commander'
import { routes } from '../features/index.ts'
import { print, table } from './print.ts'
import { command } from './program.ts'

export function routesCommand(): Command {
  return command('routes', 'list the API routes, what they do, and the scopes that they accept')
    .option('--json', 'print one JSON object')
    .action(listRoutes)
}

async function listRoutes({ json }: { json?: boolean }): Promise<void> {
  const { indexRoutes } = await import('../http/route-index.ts')
  const index = indexRoutes(routes)
  const rows = index.map(({ method, path, summary, scopes }) => [method, path, summary, scopeText(scopes)])
  print(json, { routes: index }, table([['METHOD', 'PATH', 'WHAT IT DOES', 'SCOPE'], ...rows]))
}

function scopeText(scopes: readonly string[] | undefined): string {
  if (!scopes) return 'none (no key)'
  return scopes.length === 0 ? 'any key' : scopes.join(', ')
}
