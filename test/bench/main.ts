import { benchAttacks } from './attacks.ts'
import { benchBackup } from './backup.ts'
import { benchBoard } from './board.ts'
import { benchChanges } from './changes.ts'
import { benchChangesRates } from './changes-rates.ts'
import { benchCompare } from './compare.ts'
import { benchCompression } from './compression.ts'
import { benchConnections } from './connections.ts'
import { benchDuplicates } from './duplicates.ts'
import { benchEndurance } from './endurance.ts'
import { benchExports } from './exports.ts'
import { benchFollowerReads } from './follower-reads.ts'
import { benchFuzz } from './fuzz.ts'
import { benchIds } from './ids.ts'
import { benchImportFairness } from './import-fairness.ts'
import { benchImportKills } from './import-kills.ts'
import { benchImports } from './imports.ts'
import { benchKills } from './kills.ts'
import { benchLookups } from './lookups.ts'
import { benchMails } from './mails.ts'
import { benchMatchedImports } from './matched-imports.ts'
import { benchNodes } from './nodes.ts'
import { benchObserved } from './observed.ts'
import { benchPeers } from './peers.ts'
import { benchPipeline } from './pipeline.ts'
import { benchRequests } from './requests.ts'
import { benchResources } from './resources.ts'
import { benchSandbox } from './sandbox.ts'
import { benchScale } from './scale.ts'
import { benchSearch } from './search.ts'
import { benchSize } from './size.ts'
import { benchSlowDisk } from './slow-disk.ts'
import { benchStall } from './stall.ts'
import { benchStalls } from './stalls.ts'
import { benchStart } from './start.ts'
import { benchSummaries } from './summaries.ts'
import { benchUpgrade } from './upgrade.ts'
import { benchUploads } from './uploads.ts'
import { benchWaiting } from './waiting.ts'
import { benchWebhooks } from './webhooks.ts'

// `npm run bench` runs everything, `npm run bench -- requests start` the named parts. BENCH_SECONDS sets how
// long each measurement takes. `--peers` compares with other systems, where they are installed (see peers.ts), `compare HEAD~30` with
// another revision (see compare.ts). Absolute times mean little on a shared machine: read the ratios.

const parts: Record<string, () => Promise<void>> = {
  requests: benchRequests,
  observed: benchObserved,
  changes: benchChanges,
  'changes-rates': benchChangesRates,
  compression: benchCompression,
  connections: benchConnections,
  resources: benchResources,
  'slow-disk': benchSlowDisk,
  stalls: benchStalls,
  start: benchStart,
  sandbox: benchSandbox,
  backup: benchBackup,
  nodes: benchNodes,
  board: benchBoard,
  duplicates: benchDuplicates,
  exports: benchExports,
  'follower-reads': benchFollowerReads,
  fuzz: benchFuzz,
  endurance: benchEndurance,
  kills: benchKills,
  lookups: benchLookups,
  scale: benchScale,
  search: benchSearch,
  size: benchSize,
  stall: benchStall,
  attacks: benchAttacks,
  pipeline: benchPipeline,
  summaries: benchSummaries,
  ids: benchIds,
  imports: benchImports,
  'import-fairness': benchImportFairness,
  'import-kills': benchImportKills,
  mails: benchMails,
  'matched-imports': benchMatchedImports,
  upgrade: benchUpgrade,
  uploads: benchUploads,
  waiting: benchWaiting,
  webhooks: benchWebhooks,
}

const asked = process.argv.slice(2)
if (asked[0] === 'compare') await benchCompare(asked.slice(1))
else await runParts(asked)

async function runParts(asked: readonly string[]): Promise<void> {
  const named = asked.filter((name) => name !== '--peers')
  if (asked.includes('--peers')) await benchPeers()
  for (const name of asked.length > 0 ? named : Object.keys(parts)) {
    const part = parts[name]
    if (!part) throw new Error(`No benchmark ${name}; there are compare, ${Object.keys(parts).join(', ')}`)
    await part()
  }
}
