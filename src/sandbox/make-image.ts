import { hash } from 'node:crypto'
import { findWorkspaceId } from '../access/company.ts'
import { insertKey } from '../access/key.ts'
import { defaultPlan } from '../access/plan.ts'
import { CatchUp } from '../changes/readers/keep-up.ts'
import { createCompany } from '../crm/create-company.ts'
import { assertResources, batchReaders } from '../features/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Randomness } from '../lib/randomness.ts'
import { noDurability } from '../store/durability.ts'
import { migrate } from '../store/migrate.ts'
import { openConnection } from '../store/open.ts'
import type { Schema } from '../store/shape.ts'
import { Store } from '../store/store.ts'
import type { ClockState } from './clock.ts'
import type { Image } from './image.ts'
import { newRandomState, WorldRandomness } from './randomness.ts'

/** Creates records in the workspace of a new company. */
type Fill = (store: Store, place: { companyId: string; workspaceId: number }) => Promise<void>

interface Making {
  schema: Schema
  /** When things are created. */
  clock: Clock
  /** Default: ids of the world itself. */
  newId?: Randomness['newId']
  fill?: Fill
  /** Where the clock of the world starts. */
  start: ClockState
}

const seed = 'kontor'
/** The key of an image. It has no use: each world replaces it by its own. */
const placeholder = 'image'

/** Makes the image of a company with one key, always with the same bytes. */
export async function makeImage({ schema, clock, newId, fill, start }: Making): Promise<Image> {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  migrate(db, schema.schema, schema.steps)
  for (const name of ['cursor_secret', 'webhook_key', 'log_origin']) {
    db.prepare('UPDATE setting SET value = ? WHERE name = ?').run(hash('sha256', `${seed} ${name}`), name)
  }
  const own = new WorldRandomness(newRandomState(seed), placeholder)
  const randomness = { newId: newId ?? ((ms: number) => own.newId(ms)), bytes: (size: number) => own.bytes(size) }
  const store = new Store({ db, clock, durability: noDurability, randomness })
  assertResources(store.access)
  const { keyId, ...place } = await store.writeAccess((tx) => {
    const { id } = createCompany(tx, { name: 'Sandbox', plan: defaultPlan })
    const key = insertKey(tx, { companyId: id, environment: 'test', name: 'Sandbox', scopes: ['admin:all'] })
    return { companyId: id, keyId: key.id, workspaceId: findWorkspaceId(tx, id, 'test') }
  })
  await fill?.(store, place)
  await new CatchUp(store, batchReaders).run(new AbortController().signal) // otherwise each reset would do it again
  const image = { companyId: place.companyId, keyId, bytes: db.serialize(), random: own.state }
  await store.close()
  return { ...image, clock: start, faults: [], inbox: [], journal: [] }
}
