import type { Command } from 'commander'
import { systemClock } from '../lib/clock.ts'
import { stampOf } from '../lib/stamp.ts'
import { hasLog } from '../store/directory.ts'
import { restore } from '../store/restore.ts'
import { schema } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'

export function restoreCommand(): Command {
  return administer(
    'restore',
    'replace the database with a backup; the old database is kept; the server must not be running',
  )
    .argument('<file>', 'a backup made by kontor backup or on schedule')
    .action(restoreFile)
}

async function restoreFile(file: string, options: CommonOptions): Promise<void> {
  const { kept = null } = await restore(dataOf(options), file, { ...schema, stamp: stampOf(systemClock.now()) })
  const directory = dataOf(options)
  const inLog = hasLog(directory)
  if (inLog) await (await import('../cluster/reset.ts')).awaitReset(directory)
  const lines = [
    `Restored ${file}.`,
    ...(kept ? [`The database that was there is kept as ${kept}`] : []),
    ...(inLog
      ? ['This directory belongs to a log: stop all its servers, and run "kontor log reset" before the next start.']
      : []),
  ]
  print(options.json, { restored: file, kept }, lines.join('\n'))
}
