import type { Command } from 'commander'
import { copyContent, listReferred } from '../content/copy-content.ts'
import { contentsBeside, directoryBeside } from '../content/open.ts'
import { systemClock } from '../lib/clock.ts'
import { stampOf } from '../lib/stamp.ts'
import { hasLog } from '../store/directory.ts'
import { restore } from '../store/restore.ts'
import { administerFiles, contentsOf, type FilesOptions } from './contents.ts'
import { schema } from './open-store.ts'
import { print } from './print.ts'
import { dataOf } from './program.ts'

export function restoreCommand(): Command {
  return administerFiles(
    'restore',
    'replace the database with a backup; the old database is kept; the server must not be running',
  )
    .argument('<file>', 'a backup made by kontor backup or on schedule')
    .option('--without-files', 'restore also if content of files is missing beside the backup')
    .action(restoreFile)
}

async function restoreFile(file: string, options: FilesOptions): Promise<void> {
  const { withoutFiles = false } = options
  const directory = dataOf(options)
  const copying = { from: contentsBeside(file), folder: directoryBeside(file), to: contentsOf(options), withoutFiles }
  const inLog = hasLog(directory)
  const bringContent = () => copyContent(listReferred(file), copying)
  const log = inLog ? await import('../cluster/reset.ts') : undefined
  const leaveLog = log && (() => log.awaitReset(directory)) // its entries would damage the restored database
  const stamp = stampOf(systemClock.now())
  const { kept = null } = await restore(directory, file, { ...schema, stamp, bringContent, leaveLog })
  const lines = [
    `Restored ${file}.`,
    ...(kept ? [`What was there is kept as ${kept}`] : []),
    ...(inLog
      ? ['This directory belongs to a log: stop all its servers, and run "kontor log reset" before the next start.']
      : []),
  ]
  print(options.json, { restored: file, kept }, lines.join('\n'))
}
