import { Command, InvalidArgumentError, Option } from 'commander'
import { requestsMax } from '../access/plan.ts'
import { type Defaults, readConfig, type SettingName, settings } from '../config.ts'

/** A subcommand that reads `--data` and prints JSON on demand. */
export interface CommonOptions {
  data: string
  json?: boolean
}

/** A new command whose wrong usage ends with exit code 2 (decision F3). */
export function command(name: string, about: string): Command {
  return new Command(name).description(about).exitOverride().showHelpAfterError('(--help shows what is possible)')
}

/** An administrative subcommand: works on a data directory, also while a server runs on it. */
export function administer(name: string, about: string): Command {
  return withSettings(command(name, about), ['data']).option('--json', 'print one JSON object')
}

/** Adds settings as options; their defaults (`defaults`: a command's own) and environment variables show in the help. */
export function withSettings(to: Command, names: readonly SettingName[], defaults: Defaults = {}): Command {
  for (const name of names) {
    const { flag, env, about } = settings[name]
    const fallback = defaults[name] ?? settings[name].default
    to.addOption(new Option(flag, `${about} (default: ${fallback || 'none'}; env: ${env})`))
  }
  return to
}

/** Of the commands that make a database. */
export function initOption(): Option {
  return new Option('--init', 'take an empty database file, with nothing beside it, for a new one')
}

export function dataOf(options: { data?: string }): string {
  return readConfig(['data'], options, process.env).data
}

/** `a,b` as a list. */
export function list(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** How many there may be: an integer from 0, or any number. (Commander takes a null for no value.) */
export function limit(text: string): number | 'none' {
  return text === 'none' ? text : integer(text, 0, 1e12)
}

/** `on` or `off`. */
export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.')
  return text === 'on'
}

/** A number of requests: an integer from 1. */
export function requests(text: string): number {
  return integer(text, 1, requestsMax)
}

function integer(text: string, min: number, max: number): number {
  if (/^\d{1,13}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`)
}
