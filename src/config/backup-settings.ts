import * as v from 'valibot'
import { duration, integer, optionalText } from '../lib/setting-kinds.ts'
import { setting } from './setting.ts'

/** Scheduled backups. */
export const backupDefinitions = {
  backupDir: setting('--backup-dir <dir>', 'KONTOR_BACKUP_DIR', '', 'directory for scheduled backups', optionalText),
  backupEveryMs: setting(
    '--backup-every <time>',
    'KONTOR_BACKUP_EVERY',
    '24h',
    'time between scheduled backups',
    duration,
  ),
  backupKeep: setting(
    '--backup-keep <n>',
    'KONTOR_BACKUP_KEEP',
    '7',
    'number of scheduled backups to keep',
    integer(1, 10_000, 'must be a number from 1 to 10000'),
  ),
  withoutFiles: setting(
    '--without-files [mode]',
    'KONTOR_WITHOUT_FILES',
    'off',
    'on: scheduled backups leave out content of files that is missing or damaged; off: they fail',
    v.picklist(['on', 'off'], 'must be on or off'),
  ),
} as const
