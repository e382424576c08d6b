import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importThroughKills } from '../e2e/import-kills.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'

const kills = Number(process.env.BENCH_KILLS ?? 100)

/** Runs the test of kill -9 during imports for many rounds. */
export async function benchImportKills(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off']
  const ends: unknown[] = []
  process.once('exit', () => {
    for (const end of ends) (end as () => void)()
  })
  const { jobs, contacts } = await importThroughKills(
    () => launch({ after: (end) => void ends.push(end) }, bundle, serve),
    (url) => firstClient(data, url),
    kills,
  )
  rmSync(data, { recursive: true })
  console.log(`${kills} kills, ${jobs} imports, ${contacts} contacts: each once, counters and errors right.\n`)
}
