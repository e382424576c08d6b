import type { Command } from 'commander'
import * as v from 'valibot'
import { allSettings, faultOf, type Given, givenFor, settings, unknownIn, withoutPassword } from '../config.ts'
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
  const states = statesOf(given, process.env)
  const unknown = unknownIn(process.env)
  const rows = states.map(({ variable, flag, value, source }) => [variable, flag, value || '(none)', source])
  const lines = [
    table([['VARIABLE', 'FLAG', 'VALUE', 'FROM'], ...rows]),
    ...states.flatMap(({ error }) => error ?? []),
    ...unknown,
  ]
  print(json, { settings: states, unknown }, lines.join('\n'))
  if (states.some(({ error }) => error !== undefined)) process.exitCode = 2
}

/** A setting as an operator sees it. */
interface SettingState {
  /** Empty: it has only a variable. */
  flag: string
  variable: string
  /** Secrets, and passwords in URLs, are left out. */
  value: string
  /** The flag, the variable, or `default`. */
  source: string
  error?: string
}

function statesOf(flags: Given, env: NodeJS.ProcessEnv): SettingState[] {
  return allSettings.map((name) => {
    const { option: flag, env: variable, default: usual, schema, isSecret } = settings[name]
    const { source, given } = givenFor(name, flags, env)
    const result = v.safeParse(schema, given ?? usual)
    return {
      ...{ flag, variable, value: isSecret && given ? '…' : withoutPassword(given ?? usual) },
      source: given === undefined ? 'default' : source,
      ...(!result.success && { error: faultOf(source, given, result.issues[0]) }),
    }
  })
}
