import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { routes } from '../features/index.ts'
import { version } from '../packaging/embedded.ts'
import { command, withSettings } from './program.ts'

export function openapiCommand(): Command {
  return withSettings(command('openapi', 'print the OpenAPI 3.1 document of the API'), ['publicUrl']).action(
    async (options) => {
      const { publicUrl } = readConfig(['publicUrl'], options, process.env)
      const { createDocument } = await import('../http/openapi/document.ts')
      process.stdout.write(`${JSON.stringify(createDocument(routes, version, publicUrl?.href), null, 2)}\n`)
    },
  )
}
