import type { Command } from 'commander'
import * as v from 'valibot'
import { ConfigError } from '../config.ts'
import { endAllClaims } from '../features/files/content-names.ts'
import { sweepContent } from '../features/files/sweep.ts'
import { duration } from '../lib/setting-kinds.ts'
import { databasePath, hasLog } from '../store/directory.ts'
import { isLocked } from '../store/lock.ts'
import { administerFiles, contentsOf } from './contents.ts'
import { withStore } from './open-store.ts'
import { print } from './print.ts'
import { type CommonOptions, command, dataOf } from './program.ts'

interface SweepOptions extends CommonOptions {
  olderThan: string
  dryRun?: boolean
}

export function filesCommand(): Command {
  const files = command('files', 'look after the content of files')
  files.addCommand(
    administerFiles('sweep', 'remove content to which no file refers, trash included; may run while the server runs')
      .option('--older-than <time>', 'leave what was stored later', '24h')
      .option('--dry-run', 'only say what would be removed')
      .action(sweep),
  )
  return files
}

async function sweep({ olderThan, dryRun = false, ...options }: SweepOptions): Promise<void> {
  const parsed = v.safeParse(duration, olderThan)
  const ageMs = olderThan === '0' ? 0 : parsed.output
  if (typeof ageMs !== 'number')
    throw new ConfigError(`--older-than ${parsed.issues![0].message}; it is "${olderThan}"`)
  const data = dataOf(options)
  const contents = contentsOf(options as CommonOptions)
  const swept = await withStore(data, async (store) => {
    if (!dryRun && !isLocked(data) && !hasLog(data)) await store.writeAccess(endAllClaims) // no server runs: no upload is in progress
    return sweepContent(store, contents, { path: databasePath(data), beforeMs: Date.now() - ageMs, isDryRun: dryRun })
  })
  const verb = dryRun ? 'Would remove' : 'Removed'
  print(options.json, { ...swept, dry_run: dryRun }, `${verb} ${swept.removed} (${swept.bytes} bytes)`)
}
