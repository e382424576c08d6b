import type { Command } from 'commander'
import { systemClock } from '../lib/clock.ts'
import { stampOf } from '../lib/stamp.ts'
import { restore } from '../store/restore.ts'
import { schema } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'

export function restoreCommand(): Command {
  return administer('restore', 'put a backup in the place of the database, which is kept; the server must not run')
    .argument('<file>', 'made by kontor backup, or by the schedule')
    .action(restoreFile)
}

async function restoreFile(file: string, options: CommonOptions): Promise<void> {
  const { kept = null } = await restore(dataOf(options), file, { ...schema, stamp: stampOf(systemClock.now()) })
  const lines = [`Restored ${file}.`, ...(kept ? [`The database that was there is kept as ${kept}`] : [])]
  print(options.json, { restored: file, kept }, lines.join('\n'))
}
