import type { Command } from 'commander'
import { allSettings, describeSettings, type Given, unknownIn } from '../config.ts'
import { print, table } from './print.ts'
import { command, withSettings } from './program.ts'

interface ConfigOptions {
  json?: boolean
}

export function configCommand(): Command {
  return withSettings(
    command('config', 'print each setting of the server with its value and where it comes from'),
    allSettings,
  )
    .option('--json', 'print one JSON object')
    .action(({ json, ...given }: ConfigOptions & Given) => show(given, json))
}

/** Exits with 2 if a value is invalid, like the server. */
function show(given: Given, json: boolean | undefined): void {
  const settings = describeSettings(given, process.env)
  const unknown = unknownIn(process.env)
  const rows = settings.map(({ variable, flag, value, source }) => [variable, flag, value || '(none)', source])
  const lines = [
    table([['VARIABLE', 'FLAG', 'VALUE', 'FROM'], ...rows]),
    ...settings.flatMap(({ error }) => error ?? []),
    ...unknown,
  ]
  print(json, { settings, unknown }, lines.join('\n'))
  if (settings.some(({ error }) => error !== undefined)) process.exitCode = 2
}
