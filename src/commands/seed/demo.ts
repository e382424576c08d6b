import type { Role } from '../../access/role.ts'
import { insertUser } from '../../access/user.ts'
import { listStageIds } from '../../crm/stage.ts'
import { UuidSequence } from '../../lib/generate-uuid.ts'
import type { Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import { DemoClock, demoNow } from './calendar.ts'
import { type Cast, shuffle } from './cast.ts'
import { companies } from './companies.ts'
import { tellCompany } from './company-story.ts'
import { Diary } from './diary.ts'
import { plots } from './plots.ts'
import { Deck, Random } from './random.ts'
import { tellSetup } from './setup.ts'

const seed = 20_260_105

const colleagues: readonly { fullName: string; email: string; role: Role }[] = [
  { fullName: 'Ada Brandt', email: 'ada@sandbox.example', role: 'owner' },
  { fullName: 'Jonas Weber', email: 'jonas@sandbox.example', role: 'admin' },
  { fullName: 'Mina Okafor', email: 'mina@sandbox.example', role: 'member' },
]

/** A separate clock and separate ids, so that the demo data are always identical, including ids and timestamps. */
export function demoTime(): { clock: DemoClock; ids: UuidSequence } {
  const random = new Random(seed)
  return { clock: new DemoClock(), ids: new UuidSequence(() => random.bytes(16)) }
}

/** Fills a workspace with nine months of a small company that sells gift hampers. The store must have the clock of `demoTime`. */
export async function seedDemo(store: Store, companyId: string, workspaceId: number): Promise<void> {
  const { clock } = store
  if (!(clock instanceof DemoClock)) throw new Error('The store of the demo needs the clock of demoTime()')
  const random = new Random(seed)
  const userIds = await store.writeAccess((tx) => colleagues.map((user) => insertUser(tx, { companyId, ...user }).id))
  const stageIds = listStageIds(store.workspace(workspaceId))
  const requestIds = new UuidSequence(() => random.bytes(16))
  const mailboxes = new Map(
    colleagues.map(({ fullName, email }, at) => [userIds[at]!, { name: fullName, address: email }]),
  )
  const entries = tellDemo({ random, userIds, stageIds, mailboxes })
  clock.moveTo(entries[0]!.atMs)
  // The writes share transactions, so each moves the clock to the time of the next one.
  const writes = entries.map(({ atMs, userId, write }, index) => {
    const run = (tx: Writer) => {
      write(tx)
      clock.moveTo(entries[index + 1]?.atMs ?? demoNow)
    }
    return store.write(workspaceId, run, { actor: { type: 'user', id: userId }, requestId: requestIds.next(atMs) })
  })
  await Promise.all(writes)
}

/** What the users do in the nine months, in order. */
function tellDemo(given: Pick<Cast, 'random' | 'userIds' | 'stageIds' | 'mailboxes'>) {
  const { random, userIds } = given
  const cast: Cast = { ...given, diary: new Diary(), decks: shuffle(random) }
  tellSetup(cast)
  const plot = new Deck(random, plots)
  for (const [index, company] of companies.entries())
    tellCompany(cast, company, plot.draw(), userIds[index % userIds.length]!)
  return cast.diary.inOrder()
}
