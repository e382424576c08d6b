import type { Command } from 'commander'
import { backupCommand } from './commands/backup.ts'
import { checkCommand } from './commands/check.ts'
import { companyCommand } from './commands/company/company.ts'
import { configCommand } from './commands/config.ts'
import { exportCommand } from './commands/export/export.ts'
import { failureOf } from './commands/failure.ts'
import { filesCommand } from './commands/files.ts'
import { importCommand } from './commands/import/import.ts'
import { keyCommand } from './commands/key.ts'
import { licensesCommand } from './commands/licenses.ts'
import { logCommand } from './commands/log.ts'
import { mailCommand } from './commands/mail/mail.ts'
import { mcpCommand } from './commands/mcp.ts'
import { messageCommand } from './commands/message.ts'
import { openapiCommand } from './commands/openapi.ts'
import { planCommand } from './commands/plan.ts'
import { command } from './commands/program.ts'
import { readyCommand } from './commands/ready.ts'
import { restoreCommand } from './commands/restore.ts'
import { routesCommand } from './commands/routes.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { serveCommand } from './commands/serve.ts'
import { setupLinkCommand } from './commands/setup-link.ts'
import { userCommand } from './commands/user.ts'
import { version } from './packaging/embedded.ts'
import { setV8Flags } from './packaging/v8-flags.ts'

process.umask(0o077) // files contain customer data
setV8Flags()
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}) // the reader of the pipe has gone

const program = command('kontor', 'A self-hosted, multi-tenant sales CRM')
  .version(version, '--version', 'print the version')
  .helpOption('--help', 'show help')
  .addCommand(serveCommand())
  .addCommand(sandboxCommand())
  .addCommand(companyCommand())
  .addCommand(userCommand())
  .addCommand(setupLinkCommand())
  .addCommand(keyCommand())
  .addCommand(planCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(checkCommand())
  .addCommand(filesCommand())
  .addCommand(readyCommand())
  .addCommand(configCommand())
  .addCommand(openapiCommand())
  .addCommand(routesCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(mailCommand())
  .addCommand(messageCommand())
  .addCommand(mcpCommand())
  .addCommand(logCommand())
  .addCommand(licensesCommand())
  .hook('preAction', (_program, command) => refuseMissingValues(command))

program.parseAsync().catch((error) => {
  const { code, message } = failureOf(error)
  if (message !== undefined) process.stderr.write(`kontor: ${message}\n`)
  process.exit(code)
})

/** `--name --json`: the value of `--name` is missing, it is not "--json". */
function refuseMissingValues(command: Command): void {
  for (const [name, value] of Object.entries(command.opts())) {
    if (typeof value === 'string' && value.startsWith('--')) command.error(`error: option ${name} needs a value`)
  }
}
