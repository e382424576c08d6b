import type { Command } from 'commander'
import { routes } from '../crm/index.ts'
import { version } from '../packaging/embedded.ts'
import { command } from './program.ts'

export function openapiCommand(): Command {
  return command('openapi', 'print the OpenAPI 3.1 document of the API').action(async () => {
    const { createDocument } = await import('../http/openapi/document.ts')
    process.stdout.write(`${JSON.stringify(createDocument(routes, version), null, 2)}\n`)
  })
}
