import { workerData } from 'node:worker_threads'
import { newLogState } from '../../src/store/durability.ts'
import { openConnection } from '../../src/store/open.ts'
import { startCheckpoints } from '../../src/threads/checkpoints.ts'

/** The thread of the floor that moves the write-ahead log into the database, as Kontor's worker thread does. */
startCheckpoints(openConnection(workerData, { busyTimeoutMs: 50, synchronous: 'NORMAL' }), newLogState())
