import type { Command } from 'commander'
import { OperatorError } from '../errors.ts'
import { built, readPacked } from '../packaging/embedded.ts'
import { command } from './program.ts'

export function licensesCommand(): Command {
  return command('licenses', 'print the licenses of Kontor and of the software that it contains').action(() => {
    if (!built) throw new OperatorError('The licenses are part of the built program only.')
    process.stdout.write(readPacked('licenses'))
  })
}
